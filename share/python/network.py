# ---- a physical network: Newton's method, the step of the method, instants between steps ----


class _Solver:
    """Equations, solved: what Newton's method goes on to; what follows; where they stand."""

    def __init__(self, iterated, tolerance, get, put, update, rest, follows, bends, kinks, refuses):
        self.iterated, self.tolerance, self.get, self.put = iterated, tolerance, get, put
        self.update, self.rest, self.follows = update, rest, follows
        self.bends = bends  # equations do, not devices alone
        self.kinks = kinks  # changes tell no rate
        self.refuses = refuses  # equations have no value at some points

    def finish(self, at, signals):
        self.rest(at, signals)
        return OK if all(math.isfinite(v) for v in self.follows(signals)) else NOT_FINITE

    def go_on(self, at, signals):
        """Where Newton's method goes next: the values, and the largest change in units of its tolerance."""
        upcoming, change = self.update(at, signals), 0.0
        values = [upcoming[u] for u in self.iterated]
        for value, now, tolerance in zip(values, self.get(signals), self.tolerance):
            part = abs(value - now) / (1e-13 * abs(value) + tolerance)
            if part > change or math.isnan(part):
                change = part
        return values, change

    def move_modes(self, at, signals):
        """Branches as they stand at the point, which may depend on all that follows from it."""
        self.rest(at, signals)
        modes = list(at.memories)
        _modes_of(at, signals, modes)
        at.memories = modes

    def solve(self, at, signals, devices, follows=False):
        """devices: evaluated where the signals are. follows: branches are those of the point where Newton's method
        stands; where it ends, at.memories has them."""
        if not self.iterated:
            return self.finish(at, signals)
        last, moved, origin, refused, beyond = -1.0, False, None, 0, False
        for _ in range(50):
            if follows:
                self.move_modes(at, signals)
                at.known = _known_of(at)
            values, change = self.go_on(at, signals)
            if self.refuses and not math.isfinite(change):
                refused, beyond = refused + 1, True
                if origin is None or refused == _UPDATE_TRIES:
                    return NOT_FINITE
                self.put(signals, [was + 0.5 * (now - was) for was, now in zip(origin, self.get(signals))])
                moved, left = devices.evaluate(signals, limits=True)
                continue
            origin, refused = self.get(signals), 0
            self.put(signals, values)
            held = moved
            moved, left = devices.evaluate(signals, limits=True)
            held |= moved
            if not held and left <= 0.0 and (not self.bends or _has_converged(change, -1.0 if self.kinks else last)):
                break
            change = left if not self.bends or (left > 0.0 and not left <= change) else change
            if not math.isfinite(change):
                return NOT_FINITE
            if not held and 0.0 <= last <= change and self.stays(at, change, signals, devices):
                break
            last = -1.0 if moved else change
        else:
            return NOT_FINITE if beyond and _MAY_FOLLOW else NO_CONVERGENCE
        if follows:
            self.move_modes(at, signals)
        return self.finish(at, signals)

    def stays(self, at, change, signals, devices):
        return self.is_noise(at, change, signals, devices) if self.bends else change <= 1e4

    def is_noise(self, at, change, signals, devices):
        """Is the next update no more than what numbers that differ by the relative tolerance lead to, and not
        much less than this change?"""
        upcoming = self.update(at, signals)
        values, probing = [upcoming[u] for u in self.iterated], copy.copy(at)
        noise, vary = [0.0] * len(values), [0.0] * len(_CURRENT_AT)
        after, there = signals.copy(), devices.copy()
        self.put(after, values)
        there.evaluate(after)
        for probe in range(_PROBES):
            near, probing.before, seen = signals.copy(), at.before.copy(), devices.copy()
            _blur(near.__dict__, probe, 1e-13)
            _blur(probing.before.__dict__, probe + _PROBES, 1e-13)
            probing.known = list(getattr(at, "known", []))
            _blur(probing.known, probe + 2 * _PROBES, 1e-13)
            probing.rates = list(at.rates)
            _blur(probing.rates, probe + 3 * _PROBES, 1e-13)
            probing.stored = [v * (1.0 + 1e-13 if _is_up(k, probe + 4 * _PROBES) else 1.0 - 1e-13) for k, v in enumerate(at.stored)]
            seen.evaluate(near)
            probing.flows = seen.flows
            found = self.update(probing, near)
            others = [found[u] for u in self.iterated]
            self.put(near, others)
            seen.evaluate(near)
            noise = [max(n, 10.0 * abs(other - v)) for n, other, v in zip(noise, others, values)]
            vary = [max(n, 10.0 * abs(seen.flows[k] - there.flows[k])) for n, k in zip(vary, _CURRENT_AT)]
        moves = [abs(value - now) for value, now in zip(values, self.get(signals))]
        parts = [m / (1e-13 * abs(v) + tolerance) for m, v, tolerance in zip(moves, values, self.tolerance)]
        currents = ((devices.flows[k], there.flows[k], n) for n, k in zip(vary, _CURRENT_AT))
        return (
            1e3 * max(parts) >= change
            and all(p <= 1e4 or m <= n for p, m, n in zip(parts, moves, noise))
            and all(abs(now - was) <= 1e-9 * abs(now) + n for was, now, n in currents)
        )


# What rounding makes of a value is ten times the largest of so many probes: the same found from values that
# differ a little from those at hand.
_PROBES = 3


def _is_up(k, probe):
    """As if at random, alike in every run; of neighbours some probe moves one up and the other down."""
    bits = ((k >> _PROBES) * 0x9E3779B9 + probe * 0x85EBCA6B) & 0xFFFFFFFF
    bits = ((bits ^ bits >> 16) * 0x85EBCA6B) & 0xFFFFFFFF
    bits = ((bits ^ bits >> 13) * 0xC2B2AE35) & 0xFFFFFFFF
    return (bits >> 31 ^ k >> probe % _PROBES) & 1


def _blur(values, probe, part, made_from=None):
    """Each number of a list or dictionary moved by a part of itself, or of what it was made from where that is larger, up or down."""
    origin = values if made_from is None else made_from
    for k, key in enumerate(values if isinstance(values, dict) else range(len(values))):
        if isinstance(values[key], list):
            _blur(values[key], probe + k, part, origin[key])
            continue
        values[key] += (part if _is_up(k, probe) else -part) * max(values[key], origin[key], key=abs)


def _has_converged(change, last):
    """What a change leaves, itself times the rate of changes, is within the tolerance."""
    return change <= 1.0 or (change < last and change * change <= last)


def _differ(left, right, size, noise):
    return abs(left - right) > 1e-09 * (abs(left) + abs(right) + abs(size)) + noise


def _have_moved(left, right):
    return any(
        abs(a - b) > 1e-09 * abs(b) + tolerance
        for a, b, tolerance in zip(_shown_of(left), _shown_of(right), _MOVES)
    )


class Model(Model):
    """Set `inputs`, call step(), read `outputs`, which belong to the end of the step."""

    _KEEPS_BEFORE = False
    evaluate_algebraic = derivatives = None  # of diagrams alone

    def __init__(self):
        super().__init__(STEP)
        self._rates, self._last_rates = list(_START_RATES), list(_START_RATES)
        self._jumped, self._last_signals = _DAMPS, self.signals
        self._last_inputs, self._last_parameters = self.inputs.copy(), self.parameters.copy()
        self._given = self._last_inputs, self._last_parameters  # as of the last instant
        self._devices = _Devices(_START_FLOWS, _START_SEEN)
        _outputs_of(self._at(0.0), self.signals, self.outputs)

    def _moved(self):
        return self.signals

    def _take_over(self, moved):
        self.signals = moved

    def _end_of_step(self):
        return self.begin + float(self.steps + 1) * STEP

    def _at(self, decide):
        at = super()._at(self.time + (self._end_of_step() - self.time) / 2)
        at.before, at.rates = self.signals, self._rates
        at.flows = at.stored = self._devices.flows
        return at

    def evaluate(self):
        """What happens at the time, with signals and outputs after it: how a step begins, which may follow."""
        if not _are_in_range(self.parameters):
            return OUT_OF_RANGE
        at = self._at(0.0)
        if not _IS_HYBRID:
            return _outputs_of(at, self.signals, self.outputs)
        jumps = _AVERAGE and self._jumps(at)
        self._jumped |= jumps
        left, kept = self.signals.copy(), list(self.memories)
        self._left = left, list(self.memories), self._given
        end = self._boundary(at)
        self._given = self.inputs.copy(), self.parameters.copy()
        if end not in (OK, ENDED):
            return end
        for k in _CHANGE_AT:
            kept[k] = self.memories[k]
        if _AVERAGE and (kept != self.memories or ((jumps or _TELLS_MOVES) and _have_moved(left, self.signals))):
            self._begin_anew(at)
        self.evaluate_enable_states()
        status = _outputs_of(at, self.signals, self.outputs)
        return status if status != OK else end

    def step(self):
        """One step of STEP with the inputs as they are; outputs belong to its end."""
        status = self.evaluate() if _IS_HYBRID or not _are_in_range(self.parameters) else OK
        if status != OK:
            return status
        t, upcoming, at, x = self.time, self._end_of_step(), self._at(0.0), self.signals.copy()
        if not _IS_HYBRID:
            self._jumped |= _AVERAGE and self._jumps(at)
        _remember(at, self.signals, self._delay_lines, self.steps)
        devices = self._devices.copy()
        at.flows, at.stored = devices.flows, list(devices.flows)
        status = self._whole(at, t, upcoming, x, devices, False)
        if _MAY_FOLLOW and status == NOT_FINITE:
            x.__dict__.update(self.signals.copy().__dict__)
            devices.take(self._devices)
            at.before, at.stored, memories = self.signals, list(devices.flows), at.memories
            status = self._whole(at, t, upcoming, x, devices, True)
            if status != OK:
                at.memories = memories
        after = None
        if status != OK and _SHORTER is not None:
            status, after = self._in_parts(at, x, devices)
        if status == OK:
            status = _outputs_of(at, x, self.outputs)
        if status != OK:
            return status
        if _AVERAGE:
            self._last_signals, self._last_rates, self._rates, self._jumped = after or (
                self.signals,
                self._rates,
                _rates_of(at, x),
                False,
            )
        self.signals, self.time, self._devices, self.memories = x, upcoming, devices, at.memories
        self.steps += 1
        self._note_changes(_changing(at, self.signals))
        return OK

    def _whole(self, at, t, upcoming, x, devices, follows):
        for part in (2, 1) if self._jumped else (1,):
            at.t, at.ahead = (t + (upcoming - t) / 2, 0.5) if part == 2 else (upcoming, 1.0)
            at.rates = [0.0] * len(self._rates) if self._jumped or not _AVERAGE else self._rates
            at.known = _known_of(at)
            status = _SOLVER.solve(at, x, devices, follows)
            if status != OK:
                return status
            if part == 2:
                at.before, at.stored = x.copy(), list(devices.flows)
        return OK

    # a step of which there is no solution in one, in parts

    def _try_part(self, at, done, x, devices):
        t, upcoming = self.time, self._end_of_step()
        at.t, at.ahead = t + done * (upcoming - t) if done < 1.0 else upcoming, done
        return _SHORTER.solve(at, x, devices)

    def _in_parts(self, at, x, devices):
        """The status, and (signals and rates before the last part, rates, has jumped) at the end."""
        begin, none = self.signals.copy(), [0.0] * len(self._rates)
        last_rates, rates, jumped = self._last_rates, self._rates, self._jumped
        done, part, failures, last, first = 0.0, 0.5, 1, begin, self._devices
        for _ in range(_MOST_TRIES):
            if failures > _SHORTENINGS:
                break
            part, status = min(part, 1.0 - done), OK
            euler = failures >= _EULER_AFTER or not _AVERAGE
            halves = not euler and jumped
            x.__dict__.update(begin.copy().__dict__)
            at.before, at.rates = begin, none if euler or halves else rates
            devices.take(first)
            at.stored = list(first.flows)
            at.pace = (0.5 if euler and _AVERAGE else 1.0) / part
            if halves:
                status = self._try_part(at, done + part / 2, x, devices)
                at.before, at.stored = x.copy(), list(devices.flows)
            if status == OK:
                status = self._try_part(at, done + part, x, devices)
            if status != OK:
                part, failures = part / 2, failures + 1
                continue
            last, begin, first, done = begin, x.copy(), devices.copy(), done + part
            if _AVERAGE:
                last_rates, rates, jumped = rates, _rates_of_part(at, x), jumped and euler
            if failures > 0:
                part, failures = 2 * part, failures - 1
            if done >= 1.0:
                at.before, at.stored = self.signals, self._devices.flows
                return OK, (last, last_rates, rates, jumped)
        return NO_CONVERGENCE, None

    # what jumps makes the next step two halves of backward Euler

    def _jumps(self, at):
        jumped = not (self._last_inputs.same(self.inputs) and self._last_parameters.same(self.parameters))
        self._last_inputs, self._last_parameters = self.inputs.copy(), self.parameters.copy()
        right_of, left_of = at.decide, at.t - (at.decide - at.t)
        found = []
        for side in (right_of, left_of):
            at.decide = side
            found.append((_sides_of(at), _edges_of(at)))
        at.decide = right_of
        (sides, right), (sides_before, left) = found
        if (sides and sides == sides_before) or self.steps == 0:
            return jumped
        return jumped or any(_differ(a, b, 0.0, least) for a, b, least in zip(left, right, _LEAST_EDGE))

    def _begin_anew(self, at):
        rates = _fresh_rates_of(at, self.signals)
        if self.steps > 0:
            self._jumped |= self._have_turned(at, rates)
        self._rates = rates

    def _rates_jump(self, rates, noise):
        together = zip(self._rates, rates, self._last_rates, noise, _LEAST_RATE)
        return any(_differ(was, now, last, least + n) for was, now, last, n, least in together)

    def _have_turned(self, at, rates):
        """Do rates jump by more than their noise?"""
        if not self._rates_jump(rates, [0.0] * len(rates)):
            return False
        noise = self._find_noise(at)
        return noise is None or self._rates_jump(rates, noise)

    def _find_noise(self, at):
        """What rounding makes of rates behind an instant, or None."""
        noise, at = [0.0] * len(self._rates), copy.copy(at)
        at.known = _known_of(at)
        here = _fresh_rates_of(at, self.signals) + _rates_of(at, self.signals)
        for probe in range(_PROBES):
            near, probing = self.signals.copy(), copy.copy(at)
            _blur(near.__dict__, probe, 2.2e-16, self._last_signals.__dict__)
            probing.before, seen = near.copy(), self._devices.copy()
            seen.evaluate(near)
            probing.flows, probing.stored = seen.flows, list(seen.flows)
            if _ALGEBRA.solve(probing, near, seen) != OK:
                return None
            fresh = _fresh_rates_of(probing, near)
            probing.before, probing.stored = self.signals, self._devices.flows
            moves = [abs(a - b) for a, b in zip(here, fresh + _rates_of(probing, near))]
            noise = [max(n, 10.0 * a, 10.0 * b) for n, a, b in zip(noise, moves, moves[len(noise) :])]
        return noise

    def _equations_stay(self, at):
        """Does an instant leave the equations as they were? Above an index of 1 the signals stay then."""
        signals, memories, (inputs, parameters) = self._left
        if not _MAY_STAY or not signals.same(self.signals):
            return False
        if self.steps == 0 and (vars(inputs) or vars(parameters)):
            return False  # inputs may be others than at the start
        if not (inputs.same(self.inputs) and parameters.same(self.parameters)):
            return False
        left = copy.copy(at)
        left.memories = memories
        if self.steps > 0:
            left.decide = at.t - (at.decide - at.t)
        return _equations_of(left, signals) == _equations_of(at, signals)

    def _agree_in_signals(self, at):
        place = self._at(at.decide)
        place.before = self.signals.copy()
        self._devices.evaluate(self.signals)
        place.flows, place.stored = self._devices.flows, list(self._devices.flows)
        for _ in range(100):
            place.memories = at.memories = self.memories
            status = OK if self._equations_stay(place) else _ALGEBRA.solve(place, self.signals, self._devices)
            if status != OK:
                return status
            modes = list(self.memories)
            _modes_of(place, self.signals, modes)
            if not any(now < was or now > was for now, was in zip(modes, self.memories)):
                return OK
            self.memories = modes
        return EVENTS_UNSETTLED
