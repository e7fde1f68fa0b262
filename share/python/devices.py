# ---- devices: evaluated by their own equations before each of Newton's updates, as c_device.c makes C do ----


class _Record:
    """What is a struct in C: numbers, lists of numbers and other records, copied where C copies it."""

    __slots__ = KINDS = ()  # kinds of members: 0 a number, n that many, a class

    def __init__(self, *values):
        for name, value in zip(self.__slots__, values):
            setattr(self, name, value)
        for name, kind in tuple(zip(self.__slots__, self.KINDS))[len(values) :]:
            setattr(self, name, kind() if not isinstance(kind, int) else [0.0] * kind if kind > 0 else 0.0)

    def copy(self):
        values = (getattr(self, name) for name in self.__slots__)
        return type(self)(*(v if isinstance(v, (float, int)) else v.copy() for v in values))

    def set(self, other):
        for name in self.__slots__:
            setattr(self, name, getattr(other, name))

    @classmethod
    def of(cls, numbers):
        """From an iterator over all its numbers."""
        return cls(*(cls._member(kind, numbers) for kind in cls.KINDS))

    @staticmethod
    def _member(kind, numbers):
        if not isinstance(kind, int):
            return kind.of(numbers)
        return [next(numbers) for _ in range(kind)] if kind > 0 else next(numbers)


class _Member:
    """A pointer to a member of a record."""

    def __init__(self, owner, name):
        self.owner, self.name = owner, name

    def __getitem__(self, k):
        return getattr(self.owner, self.name)

    def __setitem__(self, k, value):
        setattr(self.owner, self.name, value)


def _fmin(a, b):
    return a if b != b or a <= b else b


def _fmax(a, b):
    return a if b != b or a >= b else b


class _Device:
    """Its equations and parameters, its voltages among signals; of each branch its controls, each the voltage of one node
    against another, and the tolerance of what flows; where that and where its voltages stand among those of all devices."""

    def __init__(self, branches, limit, parameters, voltages, shape, first, first_node):
        self.branches, self.limit, self.parameters, self.voltages = branches, limit, parameters, voltages
        self.shape, self.first, self.first_node = shape, first, first_node

    def evaluate(self, signals, devices, limits, left):
        """1: it was evaluated elsewhere than at the signals; and, from `left` on, how far what flows is from what the tangent had
        promised, in units of its tolerance, or of the rounding of voltages where that is more."""
        v, flows = self.voltages(signals), devices.flows
        seen = devices.seen[self.first_node : self.first_node + len(v)]
        at, flow = list(v), [_ln_flow() for _ in self.shape]
        moved = bool(limits and self.limit(self.parameters, seen, at))
        self.branches(self.parameters, at, flow)
        for (controls, tolerance), one, k in zip(self.shape, flow, range(self.first, self.first + 4 * len(flow), 4)):
            promised, total = flows[k], 0.0
            for c, (here, there) in enumerate(controls):
                promised = promised + flows[k + 1 + c] * ((at[here] - seen[here]) - (at[there] - seen[there]))
                total += abs(one.slope[c]) * (abs(at[here]) + abs(at[there]))
            apart = abs(one.value - promised)
            most = tolerance + 1e-13 * abs(one.value) + 8 * 2.220446049250313e-16 * total
            if not apart < most and not _div(apart, most) <= left:
                left = _div(apart, most)
            flows[k] = one.value
            for c, (here, there) in enumerate(controls):
                flows[k + 1 + c] = one.slope[c]
                if moved:
                    flows[k] = flows[k] + one.slope[c] * ((v[here] - at[here]) - (v[there] - at[there]))
        devices.seen[self.first_node : self.first_node + len(v)] = at
        return moved, left


class _Devices:
    """What flows in all of them, and its slopes; the voltages at which they were evaluated last."""

    def __init__(self, flows, seen):
        self.flows, self.seen = list(flows), list(seen)

    def copy(self):
        return _Devices(self.flows, self.seen)

    def take(self, other):
        self.flows[:], self.seen[:] = other.flows, other.seen

    def evaluate(self, signals, limits=False):
        moved, left = False, 0.0
        for device in _DEVICES:
            held, left = device.evaluate(signals, self, limits, left)
            moved |= held
        return moved, left
