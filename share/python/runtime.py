# ---- numbers as C has them: infinite and NaN instead of exceptions ----

_INF = math.inf
_NAN = math.nan


def _div(a, b):
    try:
        return a / b
    except ZeroDivisionError:
        if a == 0 or a != a:
            return _NAN
        return math.copysign(_INF, a) * math.copysign(1.0, b)


def _made(function, beyond):
    """The function; NaN outside of its domain, beyond(x) where it overflows."""

    def safe(*args):
        try:
            return function(*args)
        except ValueError:
            return _NAN
        except OverflowError:
            return beyond(*args)

    return safe


def _positive(*args):
    return _INF


def _signed(x):
    return math.copysign(_INF, x)


def _logarithm(function, pole):
    def safe(x):
        if x == pole:
            return -_INF
        return function(x) if x > pole else _NAN

    return safe


def _pow(a, b):
    try:
        return math.pow(a, b)
    except OverflowError:
        odd = b == math.floor(b) and math.fmod(b, 2.0) != 0.0
        return -_INF if a < 0 and odd else _INF
    except ValueError:
        if a != 0:
            return _NAN
        odd = b == math.floor(b) and math.fmod(b, 2.0) != 0.0
        return math.copysign(_INF, a) if odd else _INF


def _root3(x):
    if hasattr(math, "cbrt"):
        return math.cbrt(x)
    if x == 0 or not math.isfinite(x):
        return x
    y = math.copysign(math.pow(abs(x), 1.0 / 3.0), x)
    return y - (y * y * y - x) / (3.0 * y * y)


def _whole(function):
    def safe(x):
        if not math.isfinite(x):
            return x
        return math.copysign(float(function(x)), x) if abs(x) < 1 and function(x) == 0 else float(function(x))

    return safe


def _half_away(x):
    down = math.floor(abs(x))
    return math.copysign(down + 1 if abs(x) - down >= 0.5 else down, x)


_sqrt = _made(math.sqrt, _positive)
_cbrt = _root3
_hypot = math.hypot
_exp = _made(math.exp, _positive)
_exp2 = _made(lambda x: math.pow(2.0, x), _positive)
_expm1 = _made(math.expm1, _positive)
_log = _logarithm(math.log, 0.0)
_log2 = _logarithm(math.log2, 0.0)
_log10 = _logarithm(math.log10, 0.0)
_log1p = _logarithm(math.log1p, -1.0)
_sin = _made(math.sin, _positive)
_cos = _made(math.cos, _positive)
_tan = _made(math.tan, _positive)
_asin = _made(math.asin, _positive)
_acos = _made(math.acos, _positive)
_atan = math.atan
_atan2 = math.atan2
_sinh = _made(math.sinh, _signed)
_cosh = _made(math.cosh, _positive)
_tanh = math.tanh
_asinh = math.asinh
_acosh = _made(math.acosh, _positive)
_atanh = lambda x: math.copysign(_INF, x) if abs(x) == 1 else _made(math.atanh, _signed)(x)
_erf = math.erf
_erfc = math.erfc
_tgamma = lambda x: math.copysign(_INF, x) if x == 0 else _made(math.gamma, _positive)(x)
_lgamma = lambda x: _INF if x <= 0 and x == math.floor(x) else _made(math.lgamma, _positive)(x)
_floor = _whole(math.floor)
_ceil = _whole(math.ceil)
_round = _whole(_half_away)
_trunc = _whole(math.trunc)


# ---- functions that math lacks ----


def _sinc_series(n, z):
    k = (n + 1) // 2
    power = 2 * k - n
    term = -1.0 if k % 2 else 1.0
    total = 0.0
    for i in range(2, 2 * k + 2):
        term /= i
    for i in range(power + 1, 2 * k + 1):
        term *= i
    if power == 1:
        term *= z
    while True:
        before = total
        total += term
        if total == before:
            return total
        up = (2.0 * k + 1) * (2.0 * k + 2) / ((power + 1.0) * (power + 2.0))
        term *= -z * z * up / ((2.0 * k + 2) * (2.0 * k + 3))
        k += 1
        power += 2


def linnet_sinc(order, x):
    n = int(order)
    z = math.pi * x
    scale = math.pow(math.pi, n)
    if abs(z) <= n + 1.0:
        return scale * _sinc_series(n, z)
    s = math.sin(z) / z
    for i in range(1, n + 1):
        wave = (math.sin(z), math.cos(z), -math.sin(z), -math.cos(z))[i % 4]
        s = (wave - i * s) / z
    return scale * s


def _polygamma_large(n, x):
    bernoulli = (1.0 / 6, -1.0 / 30, 1.0 / 42, -1.0 / 30, 5.0 / 66, -691.0 / 2730, 7.0 / 6, -3617.0 / 510)
    factorial = 1.0
    power = math.pow(x, -n)
    for i in range(2, n):
        factorial *= i
    total = math.log(x) - 0.5 / x if n == 0 else factorial * power + 0.5 * n * factorial * power / x
    term = 1.0 if n == 0 else factorial * n * power
    sign = -1.0 if n == 0 else 1.0
    for k in range(1, 9):
        if k == 1:
            term *= 0.5 if n == 0 else (n + 1) / 2.0
        else:
            term *= (n + 2.0 * k - 2) * (n + 2.0 * k - 1) / ((2.0 * k - 1) * 2.0 * k)
        term /= x * x
        total += sign * bernoulli[k - 1] * term
    return total if n % 2 or n == 0 else -total


def linnet_polygamma(order, x):
    n = int(order)
    if x <= 0 and math.floor(x) == x:
        return _NAN
    if n == 0 and x < 0:
        return linnet_polygamma(0, 1 - x) - math.pi / math.tan(math.pi * (x - math.floor(x)))
    if not x > -1e5:
        return _NAN
    factorial = 1.0
    total = 0.0
    for i in range(2, n + 1):
        factorial *= i
    while x < 12 + n:
        total += factorial * math.pow(x, -(n + 1))
        x += 1
    return (total if n % 2 else -total) + _polygamma_large(n, x)


_WORD = (1 << 64) - 1


def _mix(z):
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _WORD
    return z ^ (z >> 31)


def _bits_of(value):
    return struct.unpack("<Q", struct.pack("<d", value + 0.0))[0]


def linnet_uniform(seed, number):
    golden = 0x9E3779B97F4A7C15
    z = _mix((_mix((_bits_of(seed) + golden) & _WORD) + _bits_of(number) + golden) & _WORD)
    return (float(z >> 11) + 0.5) / 9007199254740992.0


def linnet_normal(seed, number):
    radius = math.sqrt(-2 * math.log(linnet_uniform(seed, 2 * number)))
    return radius * math.cos(2 * math.pi * linnet_uniform(seed, 2 * number + 1))


def _segment(decide, table, points):
    low, high = -1, points
    while high - low > 1:
        middle = low + (high - low) // 2
        if table[2 * middle] <= decide:
            low = middle
        else:
            high = middle
    return low


def linnet_table_slope(decide, table, points):
    i = _segment(decide, table, points)
    if i < 0 or i == points - 1:
        return 0.0
    return (table[2 * i + 3] - table[2 * i + 1]) / (table[2 * i + 2] - table[2 * i])


def linnet_table(x, decide, table, points):
    i = _segment(decide, table, points)
    if i < 0:
        return table[1]
    if i == points - 1:
        return table[2 * i + 1]
    return table[2 * i + 1] + (x - table[2 * i]) * linnet_table_slope(decide, table, points)


def linnet_table_middle(decide, table, points):
    i = _segment(decide, table, points)
    if i < 0:
        return table[0] - 1 - abs(table[0])
    if i == points - 1:
        return table[2 * i] + 1 + abs(table[2 * i])
    return table[2 * i] + 0.5 * (table[2 * i + 2] - table[2 * i])


def linnet_table_room(x, decide, table, points):
    i = _segment(decide, table, points)
    left = _INF if i < 0 else x - table[2 * i]
    right = _INF if i == points - 1 else table[2 * i + 2] - x
    return min(left, right)


# ---- delayed signals: rings of samples, one a step, and the polynomial through six of them ----


class _DelayLines:
    def __init__(self, step):
        self.sample = [[0.0] * size for size, _, _, _ in _DELAYS]
        self.last, self.step, self.count = 0.0, step, 0


def _recall(at, k, lag, slope):
    """A delayed signal, or its slope, a time of lag ago; NaN: too long ago, or within the step."""
    size, varies, before, _ = _DELAYS[k]
    delay_lines, ring, n = at.delay_lines, at.delay_lines.sample[k], at.delay_lines.count - 1
    back = lag / delay_lines.step - at.ahead
    within = 1e-9 if varies else (at.decide - at.t) / delay_lines.step
    if n < 0 or float(n) - back + within < 0.0:
        return 0.0 if slope else before
    if not (-1e-6 < back < float(size - 6)):
        return _NAN
    steps, oldest = math.ceil(back), 0 if n < size else n - size + 1
    part = float(steps) - back
    if not slope and part < 1e-11 and n >= steps:
        return ring[(n - steps) % size]
    first = max(min(n - steps - 2, n - 5), oldest)
    nodes = min(n - first + 1, 6)
    s = float(n - steps - first) + part
    total = 0.0
    for i in range(nodes):
        basis, rise = 1.0, 0.0
        for j in range(nodes):
            if j != i:
                rise = (rise * (s - j) + basis) / (i - j)
                basis = basis * (s - j) / (i - j)
        total += ring[(first + i) % size] * (rise / delay_lines.step if slope else basis)
    return total


def _recall_near(at, k, lag, what):
    """The same of one that may lie within the step, whose end then is a node, too; 0, 1: what samples give of the signal and
    of its slope; 2, 3: how much of the signal as it is now."""
    _, varies, _, begin = _DELAYS[k]
    delay_lines, ring, n = at.delay_lines, at.delay_lines.sample[k], at.delay_lines.count - 1
    ago = lag / delay_lines.step
    back = ago - at.ahead
    within = 1e-9 if varies else (at.decide - at.t) / delay_lines.step
    if not lag >= 0.0:
        return _NAN
    if float(n) - back + within < 0.0 or not back < 0.0:
        return _recall(at, k, lag, what) if what < 2 else 0.0
    if n < 0:
        return begin if what == 0 else 0.0
    nodes = min(n + 1, 5)
    total, basis, rise = 0.0, 1.0, 0.0
    for i in range(nodes if what < 2 else 0):
        basis, rise = 1.0, 0.0
        for j in range(nodes):
            if j != i:
                rise = (rise * (j - back) + basis) / (j - i)
                basis = basis * (j - back) / (j - i)
        rise = (rise * ago - basis) / (i + at.ahead)
        basis = basis * ago / (i + at.ahead)
        total += ring[(n - i) % len(ring)] * (rise / delay_lines.step if what == 1 else basis)
    if what < 2:
        return total
    for j in range(nodes):
        rise = (rise * (j - back) + basis) / (j + at.ahead)
        basis = basis * (j - back) / (j + at.ahead)
    return rise / delay_lines.step if what == 3 else basis


def _remember(at, signals, delay_lines, step):
    for ring, value in zip(delay_lines.sample, _delayed(at, signals)):
        if ring:  # not of a rate
            ring[step % len(ring)] = value
    delay_lines.last, delay_lines.count = at.t, step + 1


# ---- how fast signals change: the slope of the polynomial through their last six values ----


class _Change:
    def __init__(self, t, u):
        self.sample, self.peak, self.slope, self.turns_after = [u], abs(u), 0.0, t


def _rate_of(when, change, t, u):
    least = 1e-9 * max(change.peak, abs(u))
    largest, last = abs(u - change.sample[0]), change.sample[0]
    if not t > when[0]:
        return math.copysign(1e30, u - last) if largest > least else change.slope
    value = change.sample[:5]
    largest = max([largest] + [abs(u - v) for v in value])
    if not largest > least:
        return math.copysign(min(abs(change.slope), least / (t - when[len(value) - 1])), change.slope)
    time = when[: len(value)] + [t]
    value.append(u)
    slope = 0.0
    for i, own in enumerate(time):
        basis, rise = 1.0, 0.0
        for j, other in enumerate(time):
            if j != i:
                part = 1.0 / (own - other)
                rise = rise * (t - other) * part + basis * part
                basis *= (t - other) * part
        slope += value[i] * rise
    return change.slope if not slope * change.slope > 0.0 and t < change.turns_after else slope


# ---- structs ----


class _Struct:
    """Members with numbers or lists of numbers."""

    def copy(self):
        other = type(self).__new__(type(self))
        for name, value in self.__dict__.items():
            setattr(other, name, [list(v) if isinstance(v, list) else v for v in value] if isinstance(value, list) else value)
        return other

    def same(self, other):
        return self.__dict__ == other.__dict__


class _At:
    """Where the model is evaluated. Conditions on time alone are decided at `decide`."""

    def __init__(self, t, decide, inputs, states, memories, parameters, delay_lines, ahead=0.0):
        self.t, self.decide, self.inputs, self.states = t, decide, inputs, states
        self.memories, self.parameters = memories, parameters
        self.delay_lines, self.ahead = delay_lines, ahead  # ahead: steps since their last sample


# ---- algebraic loops: Newton's method in at most 50 iterations ----


def _loop_size(loop):
    loop.residuals, loop.slopes = loop.residual()
    largest = 0.0
    for residual, nominal in zip(loop.residuals, loop.nominal):
        size = abs(residual) / nominal
        if not size <= largest:
            largest = size
    return largest


def _loop_step(loop):
    n = len(loop.nominal)
    a = list(loop.slopes)
    b = [-r for r in loop.residuals]
    for c in range(n):
        pivot = c
        for r in range(c + 1, n):
            if abs(a[r + c * n]) > abs(a[pivot + c * n]):
                pivot = r
        if not abs(a[pivot + c * n]) > 0.0:
            return None
        if pivot != c:
            for j in range(n):
                a[c + j * n], a[pivot + j * n] = a[pivot + j * n], a[c + j * n]
        b[c], b[pivot] = b[pivot], b[c]
        for r in range(c + 1, n):
            factor = a[r + c * n] / a[c + c * n]
            for j in range(c + 1, n):
                a[r + j * n] -= factor * a[c + j * n]
            b[r] -= factor * b[c]
    for c in reversed(range(n)):
        for j in range(c + 1, n):
            b[c] -= a[c + j * n] * b[j]
        b[c] = _div(b[c], a[c + c * n])
        if not math.isfinite(b[c]):
            return None
    return b


def _loop_search(loop, before, step, size):
    part = 1.0
    for _ in range(13):
        loop.put([x + part * d for x, d in zip(before, step)])
        now = _loop_size(loop)
        if math.isfinite(now) and now <= (1.0 - 1e-4 * part) * size:
            return now
        part *= 0.5
    loop.put(before)
    return -1.0


def _loop_solve(loop):
    size = _loop_size(loop)
    if not math.isfinite(size):
        return NOT_FINITE
    for _ in range(50):
        if not size > 0.0:
            return OK
        step = _loop_step(loop)
        if step is None:
            return NO_CONVERGENCE
        before = loop.get()
        change = 0.0
        for d, x, nominal in zip(step, before, loop.nominal):
            part = abs(d) / max(abs(x), nominal)
            if not part <= change:
                change = part
        if loop.affine or change <= 1e-12:
            loop.put([x + d for x, d in zip(before, step)])
            return OK
        size = _loop_search(loop, before, step, size)
        if size < 0.0:
            return OK if change <= 1e-9 else NO_CONVERGENCE
    return NO_CONVERGENCE


class _Loop:
    def __init__(self, nominal, affine, residual, get, put):
        self.nominal, self.affine, self.residual, self.get, self.put = nominal, affine, residual, get, put


# ---- the model ----


class Model:
    """Set `inputs`, call step(), read `outputs`, which belong to the time before the step."""

    _KEEPS_BEFORE = True  # signals as the last step ended; else those at an instant are the same

    def __init__(self, dt=STEP):
        self.dt = dt
        self.begin = self.time = BEGIN
        self.steps = 0
        self.inputs, self.outputs, self.signals = Inputs(), Outputs(), Signals()
        self.states, self.parameters, self.enable_states = States(), Parameters(), EnableStates()
        self.memories = list(_START_MEMORIES)
        self._peak = [0.0] * len(self.memories)
        self._held = [False] * len(_TICKS)
        self._started = False
        self._before = None
        self._delay_lines = _DelayLines(dt)
        self._when, self._changes = [], []
        _start(self)

    def evaluate_algebraic(self, t, inputs, states, signals, outputs):
        """Signals and outputs from inputs and states; nothing else changes."""
        delay_lines = self._delay_lines
        at = _At(t, t, inputs, states, self.memories, self.parameters, delay_lines, (t - delay_lines.last) / delay_lines.step)
        status = _signals_for_rates(at, signals)
        if status == OK:
            status = _other_signals(at, signals)
        return status if status != OK else _outputs_of(at, signals, outputs)

    def derivatives(self, t, inputs, signals, states, rates):
        """The rates of the states."""
        delay_lines = self._delay_lines
        at = _At(t, t, inputs, states, self.memories, self.parameters, delay_lines, (t - delay_lines.last) / delay_lines.step)
        _rates_of(at, signals, rates)

    def evaluate(self):
        """What happens at the time, signals and outputs there: how a step begins, which may follow."""
        if not _are_in_range(self.parameters):
            return OUT_OF_RANGE
        h = self.begin + float(self.steps + 1) * self.dt - self.time
        at = self._at(self.time + 0.5 * h)
        end = self._boundary(at)
        if end not in (OK, ENDED):
            return end
        self.evaluate_enable_states()
        status = _outputs_of(at, self.signals, self.outputs)
        return status if status != OK else end

    def evaluate_enable_states(self):
        """Which enabled components are on, from the signals as they stand."""
        _enable(self.enable_states, self.signals, self.states)

    def step(self):
        """One step: what happens at the time, outputs there, and the states dt later."""
        t, upcoming = self.time, self.begin + float(self.steps + 1) * self.dt
        h = upcoming - t
        status = self.evaluate()
        if status != OK:
            return status
        at = self._at(t + 0.5 * h)
        _remember(at, self.signals, self._delay_lines, self.steps)
        at.ahead = 0.0
        if _COUNT > 0:
            status = self._integrate(at, t, h)
            if status != OK:
                return status
        self.time = upcoming
        self.steps += 1
        if _READS_BEFORE:
            at.t, at.states, at.ahead = upcoming, self.states, 1.0
            self._before = self.signals.copy()
            if _signals_for_rates(at, self._before) == OK:
                _other_signals(at, self._before)
            self._note_changes(_changing(at, self._before))
        return OK

    def _at(self, decide):
        ahead = float(self.steps + 1 - self._delay_lines.count)
        return _At(self.time, decide, self.inputs, self.states, self.memories, self.parameters, self._delay_lines, ahead)

    def _follow(self, at, signals, rates):
        """Rates where branches that were chosen at the begin of the step have no value: by those of the place itself."""
        kept = at.memories
        at.memories = list(kept)
        for _ in range(101):
            status = _signals_for_rates(at, signals)
            if status == OK:
                _rates_of(at, signals, rates)
                if all(math.isfinite(v) for v in _values(rates)):
                    break
                _other_signals(at, signals)
            status = NOT_FINITE
            modes = list(at.memories)
            _modes_of(at, signals, modes)
            if modes == at.memories:
                break
            at.memories = modes
        at.memories = kept
        return status

    def _integrate(self, at, t, h):
        status = self._stages(at, t, h, False)
        return status if status == OK else self._stages(at, t, h, True)

    def _stages(self, at, t, h, follows):
        from_states = _values(self.states)
        signals = self.signals.copy()
        x = States()
        rates = []
        for stage in range(len(_B)):
            k = States()
            if stage > 0:
                source, part, node = _STAGES[stage - 1]
                factor = h if part == 1.0 else part * h
                _put(x, [v + factor * r for v, r in zip(from_states, rates[source])])
                at.states, at.t, at.ahead = x, t + (h if node == 1.0 else node * h), node
                status = self._follow(at, signals, k) if follows else _signals_for_rates(at, signals)
                if status != OK:
                    return status
            else:
                at.states, at.t, at.ahead = self.states, t, 0.0
            if not follows or stage == 0:
                _rates_of(at, signals if stage > 0 else self.signals, k)
            rates.append(_values(k))
        weights = [h * b for b in _B]
        end = []
        for i, v in enumerate(from_states):
            for w, k in zip(weights, rates):
                v = v + w * k[i]
            end.append(v)
        if not all(math.isfinite(v) for v in end):
            return NOT_FINITE
        after = States()
        _put(after, end)
        self.states = after
        return OK

    # signals whose rates are asked

    def _look_at_changes(self, at):
        for k, change, u in zip(_CHANGE_AT, self._changes, _changing(at, self.signals)):
            self.memories[k] = _rate_of(self._when, change, self.time, u)

    def _begin_changes(self, at):
        self._when = [self.time]
        self._changes = [_Change(self.time, u) for u in _changing(at, self.signals)]
        self._look_at_changes(at)

    def _pass_changes(self, at):
        for change, u in zip(self._changes, _changing(at, self.signals)):
            change.slope = _rate_of(self._when, change, self.time, u)
            change.sample[0], change.peak = u, max(change.peak, abs(u))

    def _note_changes(self, values):
        for change, u in zip(self._changes, values):
            slope = _rate_of(self._when, change, self.time, u)
            if slope * change.slope < 0.0:
                change.turns_after = self.time + (self.time - self._when[-1]) / 2
            change.slope = slope
            change.sample = [u] + change.sample[:5]
            change.peak = max(change.peak, abs(u))
        self._when = [self.time] + self._when[:5]

    # what happens at the boundary of a step, with bounds on every repetition

    def _moved(self):
        """What events set beside memories."""
        return self.states

    def _take_over(self, moved):
        self.states = moved

    def _agree(self, at):
        status = self._agree_in_signals(at)
        if status == OK and self._changes:
            self._look_at_changes(at)
        return status

    def _agree_in_signals(self, at):
        for _ in range(100):
            at.states, at.memories = self.states, self.memories
            status = _signals_for_rates(at, self.signals)
            if status == OK:
                status = _other_signals(at, self.signals)
            if status != OK:
                return status
            modes = list(self.memories)
            _modes_of(at, self.signals, modes)
            if not any(now < was or now > was for now, was in zip(modes, self.memories)):
                return OK
            self.memories = modes
        return EVENTS_UNSETTLED

    def _fire(self, at):
        holds = _conditions_of(at, self.signals)
        fired = [now and not before for now, before in zip(holds, self._held)]
        self._held = holds
        return fired

    def _join(self, at, fired):
        holds = _conditions_of(at, self.signals)
        count = 0
        for k, joins in enumerate(_JOINS):
            if joins and holds[k] and not self._held[k] and not fired[k]:
                fired[k] = self._held[k] = True
                count += 1
        return count

    def _take(self, upcoming, changed, attempt):
        news = False
        for k, value in enumerate(upcoming):
            now = self.memories[k]
            if value == now or (value != value and now != now):
                self.memories[k] = value
                continue
            move, size = abs(value - now), max(abs(value), self._peak[k])
            if not (changed[k] and move <= (1e-14 if attempt < 60 else 1e-9) * size):
                news = True
            changed[k] = True
            if math.isfinite(value):
                self._peak[k] = max(self._peak[k], abs(value))
            self.memories[k] = value
        return news

    def _act_all(self, at, memories_before, before, states_before, fired):
        micro = list(self.memories)
        changed = [False] * len(micro)
        attempt = 0
        while attempt < 100:
            upcoming = list(micro)
            for k in _MODE_AT:
                upcoming[k] = self.memories[k]
            for k in _CHANGE_AT:
                upcoming[k] = micro[k] = self.memories[k]
            new = self._moved().copy()
            round_at = _At(at.t, at.decide, at.inputs, self.states, micro, at.parameters, at.delay_lines, at.ahead)
            _act(round_at, self.signals, memories_before, before, states_before, fired, upcoming, new)
            if self._take(upcoming, changed, attempt):
                status = self._agree(at)
                if status != OK:
                    return status
                attempt += 1
                continue
            if self._join(at, fired) > 0:
                attempt = 0
                continue
            if new.same(self._moved()):
                return OK
            self._take_over(new)
            return self._agree(at)
        return EVENTS_UNSETTLED

    def _boundary(self, at):
        if not self._started:
            status = self._agree(at)
            if status != OK:
                return status
            holds = _conditions_of(at, self.signals)
            self._held = [h and not tick for h, tick in zip(holds, _TICKS)]
            self._before = self.signals.copy()
            self._begin_changes(at)
            self._started = True
        moved_before, memories_before = self._moved().copy(), list(self.memories)
        before = self._before if self._KEEPS_BEFORE else moved_before
        end = OK
        status = self._agree(at)
        if status != OK:
            return status
        for _ in range(1001):
            fired = self._fire(at)
            if not any(fired):
                if self.steps > 0:
                    self._pass_changes(at)
                else:  # what has acted at the start was so before it
                    self._begin_changes(at)
                return end
            status = self._act_all(at, memories_before, before, moved_before, fired)
            if status != OK:
                return status
            for f, ends in zip(fired, _ENDS):
                if f and ends != OK and end == OK:
                    end = ends
        return EVENTS_UNSETTLED
