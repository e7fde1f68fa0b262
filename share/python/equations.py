# ---- equations of devices, made by translate.py from src/blocks/native; do not edit ----

(_LN_DIODE_P, _LN_DIODE_N, _LN_DIODE_A, _LN_DIODE_NODES) = range(4)
(_LN_DIODE_RESISTANCE, _LN_DIODE_CURRENT, _LN_DIODE_CHARGE, _LN_DIODE_BRANCHES) = range(4)
(_LN_BJT_C, _LN_BJT_B, _LN_BJT_E, _LN_BJT_S, _LN_BJT_CI, _LN_BJT_BI, _LN_BJT_EI, _LN_BJT_CJ, _LN_BJT_LAG, _LN_BJT_LATE,
    _LN_BJT_NODES) = range(11)
(_LN_BJT_AT_C, _LN_BJT_AT_B, _LN_BJT_AT_E, _LN_BJT_BASE_E, _LN_BJT_BASE_C, _LN_BJT_THROUGH, _LN_BJT_CHARGE_E, _LN_BJT_CHARGE_C,
    _LN_BJT_CHARGE_X, _LN_BJT_CHARGE_S, _LN_BJT_CHARGE_L, _LN_BJT_LEAK_S, _LN_BJT_LEAK_L, _LN_BJT_EPITAXIAL, _LN_BJT_CHARGE_F,
    _LN_BJT_LAG_IN, _LN_BJT_LAG_OUT, _LN_BJT_LAG_STORE, _LN_BJT_LATE_IN, _LN_BJT_LATE_STORE, _LN_BJT_BRANCHES) = range(21)
(_LN_JFET_D, _LN_JFET_G, _LN_JFET_S, _LN_JFET_DI, _LN_JFET_SI, _LN_JFET_NODES) = range(6)
(_LN_JFET_AT_D, _LN_JFET_AT_S, _LN_JFET_CHANNEL, _LN_JFET_GATE_D, _LN_JFET_GATE_S, _LN_JFET_CHARGE_D, _LN_JFET_CHARGE_S,
    _LN_JFET_BRANCHES) = range(8)
_LN_CUBIC = 4
(_LN_MOS_D, _LN_MOS_G, _LN_MOS_S, _LN_MOS_B, _LN_MOS_DI, _LN_MOS_SI, _LN_MOS_NODES) = range(7)
(_LN_MOS_AT_D, _LN_MOS_AT_S, _LN_MOS_CHANNEL, _LN_MOS_DIODE_D, _LN_MOS_DIODE_S, _LN_MOS_CHARGE_S, _LN_MOS_CHARGE_D,
    _LN_MOS_CHARGE_B, _LN_MOS_DEPLETION_D, _LN_MOS_DEPLETION_S, _LN_MOS_BRANCHES) = range(11)


class _ln_flow(_Record):
    __slots__ = ("value", "slope")
    KINDS = (0, 3)

    def __init__(self, value=0.0, slope=None):
        self.value = value
        self.slope = slope if slope is not None else [0.0, 0.0, 0.0]


class _ln_dual(_Record):
    __slots__ = ("value", "gs", "ds", "bs")
    KINDS = (0, 0, 0, 0)

    def __init__(self, value=0.0, gs=0.0, ds=0.0, bs=0.0):
        self.value = value
        self.gs = gs
        self.ds = ds
        self.bs = bs


def _ln_dual_constant(value):
    return _ln_dual(value, 0.0, 0.0, 0.0)


def _ln_dual_through(a, value, slope):
    return _ln_dual(value, slope * a.gs, slope * a.ds, slope * a.bs)


def _ln_dual_sum(p, a, q, b):
    return _ln_dual(p * a.value + q * b.value, p * a.gs + q * b.gs, p * a.ds + q * b.ds, p * a.bs + q * b.bs)


def _ln_dual_add(a, b):
    return _ln_dual_sum(1.0, a, 1.0, b)


def _ln_dual_subtract(a, b):
    return _ln_dual_sum(1.0, a, -1.0, b)


def _ln_dual_scale(p, a):
    return _ln_dual_through(a, p * a.value, p)


def _ln_dual_affine(c, p, a):
    return _ln_dual_through(a, c + p * a.value, p)


def _ln_dual_multiply(a, b):
    return _ln_dual(a.value * b.value, a.value * b.gs + b.value * a.gs, a.value * b.ds + b.value * a.ds,
        a.value * b.bs + b.value * a.bs)


def _ln_dual_divide(a, b):
    ratio = _div(a.value, b.value)
    per = _div(1.0, b.value)
    return _ln_dual(ratio, (a.gs - ratio * b.gs) * per, (a.ds - ratio * b.ds) * per, (a.bs - ratio * b.bs) * per)


def _ln_dual_reciprocal(a):
    per = _div(1.0, a.value)
    return _ln_dual_through(a, per, -per * per)


def _ln_dual_square(a):
    return _ln_dual_through(a, a.value * a.value, 2.0 * a.value)


def _ln_dual_root(a):
    root = _sqrt(a.value)
    return _ln_dual_through(a, root, _div(0.5, root) if root > 0.0 else 0.0)


def _ln_dual_exp(a):
    value = _exp(a.value)
    return _ln_dual_through(a, value, value)


def _ln_dual_greater(a, b):
    return (b if a.value < b.value else a).copy()


def _ln_dual_lesser(a, b):
    return (a if a.value < b.value else b).copy()


class _ln_diode(_Record):
    __slots__ = ("saturation", "scale", "gmin")
    KINDS = (0, 0, 0)

    def __init__(self, saturation=0.0, scale=0.0, gmin=0.0):
        self.saturation = saturation
        self.scale = scale
        self.gmin = gmin


class _ln_zener_diode(_Record):
    __slots__ = ("saturation", "scale", "gmin", "knee", "breakdown", "reverse_scale", "shift")
    KINDS = (0, 0, 0, 0, 0, 0, 0)

    def __init__(self, saturation=0.0, scale=0.0, gmin=0.0, knee=0.0, breakdown=0.0, reverse_scale=0.0, shift=0.0):
        self.saturation = saturation
        self.scale = scale
        self.gmin = gmin
        self.knee = knee
        self.breakdown = breakdown
        self.reverse_scale = reverse_scale
        self.shift = shift


class _ln_depletion(_Record):
    __slots__ = ("capacitance", "potential", "grading", "forward", "knee", "knee_charge", "knee_slope", "knee_bend")
    KINDS = (0, 0, 0, 0, 0, 0, 0, 0)

    def __init__(self, capacitance=0.0, potential=0.0, grading=0.0, forward=0.0, knee=0.0, knee_charge=0.0, knee_slope=0.0,
        knee_bend=0.0):
        self.capacitance = capacitance
        self.potential = potential
        self.grading = grading
        self.forward = forward
        self.knee = knee
        self.knee_charge = knee_charge
        self.knee_slope = knee_slope
        self.knee_bend = knee_bend


class _ln_exponential(_Record):
    __slots__ = ("saturation", "scale")
    KINDS = (0, 0)

    def __init__(self, saturation=0.0, scale=0.0):
        self.saturation = saturation
        self.scale = scale


class _ln_spice_diode(_Record):
    __slots__ = ("floor", "side", "recombination", "tunnel", "breakdown", "reverse_scale", "forward_knee", "reverse_knee",
        "transit", "gmin", "conductance", "series", "floor_layer", "side_layer")
    KINDS = (_ln_exponential, _ln_exponential, _ln_exponential, _ln_exponential, 0, 0, 0, 0, 0, 0, 0, 0, _ln_depletion,
        _ln_depletion)
_LN_BJT_PER_AMPERE = 1e4


class _ln_bjt(_Record):
    __slots__ = ("forward_saturation", "reverse_saturation", "forward_gain", "reverse_gain", "forward_scale", "reverse_scale",
        "forward_leak", "reverse_leak", "forward_leak_scale", "reverse_leak_scale", "per_forward_early", "per_reverse_early",
        "per_forward_knee", "per_reverse_knee", "knee_power", "base_least", "base_more", "base_half", "emitter", "collector",
        "forward_transit", "bias_transit", "per_transit_voltage", "transit_current", "reverse_transit", "gmin",
        "substrate_saturation", "substrate_scale", "epitaxial", "drift", "doping", "epitaxial_charge", "vt", "delay",
        "to_collector", "to_base", "be", "bc", "bx", "substrate")
    KINDS = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        _ln_depletion, _ln_depletion, _ln_depletion, _ln_depletion)


class _ln_bjt_flow(_Record):
    __slots__ = ("value", "be", "bc")
    KINDS = (0, 0, 0)

    def __init__(self, value=0.0, be=0.0, bc=0.0):
        self.value = value
        self.be = be
        self.bc = bc


class _ln_bjt_flows(_Record):
    __slots__ = ("forward", "reverse", "qb", "base_emitter", "base_collector", "transport", "base_resistance", "emitter_charge",
        "collector_charge")
    KINDS = (_ln_bjt_flow, _ln_bjt_flow, _ln_bjt_flow, _ln_bjt_flow, _ln_bjt_flow, _ln_bjt_flow, _ln_bjt_flow, _ln_bjt_flow,
        _ln_bjt_flow)

    def __init__(self, forward=None, reverse=None, qb=None, base_emitter=None, base_collector=None, transport=None,
        base_resistance=None, emitter_charge=None, collector_charge=None):
        self.forward = forward if forward is not None else _ln_bjt_flow()
        self.reverse = reverse if reverse is not None else _ln_bjt_flow()
        self.qb = qb if qb is not None else _ln_bjt_flow()
        self.base_emitter = base_emitter if base_emitter is not None else _ln_bjt_flow()
        self.base_collector = base_collector if base_collector is not None else _ln_bjt_flow()
        self.transport = transport if transport is not None else _ln_bjt_flow()
        self.base_resistance = base_resistance if base_resistance is not None else _ln_bjt_flow()
        self.emitter_charge = emitter_charge if emitter_charge is not None else _ln_bjt_flow()
        self.collector_charge = collector_charge if collector_charge is not None else _ln_bjt_flow()


class _ln_epitaxial(_Record):
    __slots__ = ("current", "near", "near_slope", "far", "far_slope")
    KINDS = (_ln_bjt_flow, 0, 0, 0, 0)

    def __init__(self, current=None, near=0.0, near_slope=0.0, far=0.0, far_slope=0.0):
        self.current = current if current is not None else _ln_bjt_flow()
        self.near = near
        self.near_slope = near_slope
        self.far = far
        self.far_slope = far_slope


class _ln_jfet(_Record):
    __slots__ = ("threshold", "gain", "modulation", "even", "tail", "drain", "source", "saturation", "vt", "gmin", "at_drain",
        "at_source")
    KINDS = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, _ln_depletion, _ln_depletion)


class _ln_short_channel(_Record):
    __slots__ = ("feedback", "roughness", "saturation", "stretch", "depletion", "depth", "reach", "length", "narrow", "states",
        "vt", "critical", "exponent", "shallow", "punched")
    KINDS = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)


class _ln_channel(_Record):
    __slots__ = ("gain", "built_in", "body", "potential", "modulation", "oxide", "at_drain", "level", "extra")
    KINDS = (0, 0, 0, 0, 0, 0, 4, 0, _ln_short_channel)

    def __init__(self, gain=0.0, built_in=0.0, body=0.0, potential=0.0, modulation=0.0, oxide=0.0, at_drain=None, level=0.0,
        extra=None):
        self.gain = gain
        self.built_in = built_in
        self.body = body
        self.potential = potential
        self.modulation = modulation
        self.oxide = oxide
        self.at_drain = at_drain if at_drain is not None else [0.0, 0.0, 0.0, 0.0]
        self.level = level
        self.extra = extra if extra is not None else _ln_short_channel()


class _ln_channel_flows(_Record):
    __slots__ = ("current", "to_source", "to_drain", "to_bulk")
    KINDS = (_ln_dual, _ln_dual, _ln_dual, _ln_dual)

    def __init__(self, current=None, to_source=None, to_drain=None, to_bulk=None):
        self.current = current if current is not None else _ln_dual()
        self.to_source = to_source if to_source is not None else _ln_dual()
        self.to_drain = to_drain if to_drain is not None else _ln_dual()
        self.to_bulk = to_bulk if to_bulk is not None else _ln_dual()


def _ln_channel_root(potential, v):
    if v.value <= 0.0:
        root = _sqrt(potential - v.value)
        return _ln_dual_through(v, root, _div(-0.5, root))
    root = _sqrt(potential)
    fall = _div(1.0, 1.0 + _div(0.5 * v.value, potential))
    return _ln_dual_through(v, root * fall, _div(-0.5 * fall * fall, root))


class _ln_channel_state(_Record):
    __slots__ = ("over", "over_drain", "root", "body", "bulk_share")
    KINDS = (_ln_dual, _ln_dual, _ln_dual, _ln_dual, _ln_dual)

    def __init__(self, over=None, over_drain=None, root=None, body=None, bulk_share=None):
        self.over = over if over is not None else _ln_dual()
        self.over_drain = over_drain if over_drain is not None else _ln_dual()
        self.root = root if root is not None else _ln_dual()
        self.body = body if body is not None else _ln_dual()
        self.bulk_share = bulk_share if bulk_share is not None else _ln_dual()


class _ln_bulk_junction(_Record):
    __slots__ = ("saturation", "floor", "side", "bare")
    KINDS = (0, _ln_depletion, _ln_depletion, 0)

    def __init__(self, saturation=0.0, floor=None, side=None, bare=0.0):
        self.saturation = saturation
        self.floor = floor if floor is not None else _ln_depletion()
        self.side = side if side is not None else _ln_depletion()
        self.bare = bare


class _ln_mosfet(_Record):
    __slots__ = ("channel", "drain", "source", "over_source", "over_drain", "over_bulk", "vt", "gmin", "at_drain", "at_source")
    KINDS = (_ln_channel, 0, 0, 0, 0, 0, 0, 0, _ln_bulk_junction, _ln_bulk_junction)
_LARGEST_ARGUMENT = 230.0


def _ln_junction_exp(x, slope):
    if x <= _LARGEST_ARGUMENT:
        slope[0] = _exp(x)
        return slope[0]
    slope[0] = _exp(_LARGEST_ARGUMENT)
    return slope[0] * (1.0 + x - _LARGEST_ARGUMENT)


def _ln_junction_less_one(x):
    return _expm1(x) if x > -0.5 and x < 0.5 else _exp(x) - 1.0


def _ln_junction_current(v, saturation, scale, slope):
    x = _div(v, scale)
    if v == 0.0:
        less = 0.0
        slope[0] = 1.0
    elif x > -0.5 and x < 0.5:
        less = _ln_junction_less_one(x)
        slope[0] = less + 1.0
    else:
        less = _ln_junction_exp(x, slope) - 1.0
    slope[0] *= _div(saturation, scale)
    return saturation * less


def _ln_breakdown_current(v, knee, breakdown, scale, slope):
    current = knee * _ln_junction_exp(_div(-(v + breakdown), scale), slope)
    slope[0] *= _div(knee, scale)
    return knee * _exp(_div(-breakdown, scale)) - current


def _ln_breakdown_edge(v, edge, scale, slope):
    current = edge * _ln_junction_exp(_div(-v, scale), slope)
    slope[0] *= _div(edge, scale)
    return -current


def _ln_junction_limit(v_old, v_new, scale):
    if v_new <= 0.0 or v_new - v_old <= 2.0 * scale:
        return v_new
    from_ = v_old if v_old > 0.0 else 0.0
    return from_ + scale * _log1p(_div(v_new - from_, scale))


def _ln_diode_branches(d, v, flow):
    across = v[0] - v[1]
    g = [0.0]
    i = _ln_junction_current(across, d.saturation, d.scale, g)
    flow[0] = _ln_flow(i + d.gmin * across, [g[0] + d.gmin, 0.0, 0.0])


def _move_anode(to, v):
    wanted = v[0] - v[1]
    if not (to < wanted or to > wanted):
        return 0
    v[0] = v[1] + to
    return 1


def _ln_diode_limit(d, v_old, v):
    return _move_anode(_ln_junction_limit(v_old[0] - v_old[1], v[0] - v[1], d.scale), v)


def _ln_zener_diode_branches(d, v, flow):
    across = v[0] - v[1]
    g = [0.0]
    g_reverse = [0.0]
    forward = _ln_junction_current(across, d.saturation, d.scale, g)
    reverse = _ln_breakdown_current(across, d.knee, d.breakdown, d.reverse_scale, g_reverse)
    flow[0] = _ln_flow(forward + reverse + d.gmin * across, [g[0] + g_reverse[0] + d.gmin, 0.0, 0.0])


def _ln_zener_diode_limit(d, v_old, v):
    old = v_old[0] - v_old[1]
    wanted = v[0] - v[1]
    if wanted > old:
        return _move_anode(_ln_junction_limit(old, wanted, d.scale), v)
    back = _ln_junction_limit(-(old + d.shift), -(wanted + d.shift), d.reverse_scale)
    return _move_anode(-back - d.shift, v) if back < -(wanted + d.shift) else 0
_NAPIER = 2.718281828459045


def _ln_spice_junction(v, saturation, scale, slope):
    if saturation == 0.0:
        slope[0] = 0.0
        return slope[0]
    if not v < -3.0 * scale:
        return _ln_junction_current(v, saturation, scale, slope)
    part = _div(3.0 * scale, v * _NAPIER)
    cube = part * part * part
    slope[0] = _div(3.0 * saturation * cube, v)
    return -saturation * (1.0 + cube)


class _place(_Record):
    __slots__ = ("share", "reach", "logarithm")
    KINDS = (0, 0, 0)

    def __init__(self, share=0.0, reach=0.0, logarithm=0.0):
        self.share = share
        self.reach = reach
        self.logarithm = logarithm


def _is_abrupt(layer):
    return not (layer.grading < 0.5 or layer.grading > 0.5)


def _place_of(share, is_needed):
    reach = 1.0 - share
    return _place(share, reach, _log(reach) + _div(1.0 - reach - share, reach) if is_needed else 0.0)


def _charge_at(layer, at, slope):
    m = layer.grading
    abrupt = _is_abrupt(layer)
    root = _sqrt(at.reach) if abrupt else 0.0
    grown = _div(-at.share, 1.0 + root) if abrupt else _ln_junction_less_one((1.0 - m) * at.logarithm)
    slope[0] = _div(1.0, root) if abrupt else _div(1.0 + grown, at.reach)
    return _div(-layer.potential * grown, 1.0 - m)


def _charge_beyond(v, layer, slope):
    c = layer.capacitance
    beyond = v - layer.knee
    slope[0] = c * (layer.knee_slope + layer.knee_bend * beyond)
    return c * (layer.knee_charge + beyond * (layer.knee_slope + 0.5 * layer.knee_bend * beyond))


def _ln_depletion_charge(v, layer, slope):
    if layer.capacitance == 0.0:
        slope[0] = 0.0
        return slope[0]
    if not v < layer.knee:
        return _charge_beyond(v, layer, slope)
    at = _place_of(_div(v, layer.potential), not _is_abrupt(layer))
    charge = _charge_at(layer, at, slope)
    slope[0] *= layer.capacitance
    return layer.capacitance * charge


def _ln_depletion_charges(v, floor, side, slope):
    more = [0.0]
    if v == 0.0:
        slope[0] = floor.capacitance + side.capacitance
        return 0.0
    if side.capacitance == 0.0:
        return _ln_depletion_charge(v, floor, slope)
    if floor.capacitance == 0.0 or floor.potential < side.potential or floor.potential > side.potential or not (
        v < floor.knee and v < side.knee):
        charge = _ln_depletion_charge(v, floor, slope)
        sum = charge + _ln_depletion_charge(v, side, more)
        slope[0] += more[0]
        return sum
    at = _place_of(_div(v, floor.potential), not (_is_abrupt(floor) and _is_abrupt(side)))
    charge = floor.capacitance * _charge_at(floor, at, slope)
    sum = charge + side.capacitance * _charge_at(side, at, more)
    slope[0] = floor.capacitance * slope[0] + side.capacitance * more[0]
    return sum


def _diode_junction(d, exponential, v, slope):
    steep = [0.0]
    if not v < -d.breakdown:
        return _ln_spice_junction(v, exponential.saturation, exponential.scale, slope)
    edge = _ln_spice_junction(-d.breakdown, exponential.saturation, exponential.scale, steep)
    return _ln_breakdown_edge(v + d.breakdown, -edge, d.reverse_scale, slope)


def _recombination(d, v, slope):
    least = -3.0 * d.floor.scale
    m = d.floor_layer.grading
    at = least if v < least else v
    open = 1.0 - _div(at, d.floor_layer.potential)
    inside = open * open + 0.005
    width = _pow(inside, 0.5 * m)
    i = _ln_junction_current(at, d.recombination.saturation, d.recombination.scale, slope)
    slope[0] = 0.0 if v < least else slope[0] * width - _div(i * width * m * open, inside * d.floor_layer.potential)
    return i * width


def _injected(i, knee, slope):
    root = _sqrt(_div(abs(i), knee))
    per = _div(1.0, 1.0 + root)
    slope[0] *= (1.0 + 0.5 * root) * per * per
    return i * per


def _ln_spice_diode_current(d, v, slope):
    more = [0.0]
    i = _diode_junction(d, d.floor, v, slope)
    if d.recombination.saturation > 0.0:
        i += _recombination(d, v, more)
        slope[0] += more[0]
    if d.side.saturation > 0.0:
        i += _diode_junction(d, d.side, v, more)
        slope[0] += more[0]
    if d.tunnel.saturation > 0.0:
        i -= _ln_junction_current(-v, d.tunnel.saturation, d.tunnel.scale, more)
        slope[0] += more[0]
    is_forward = v >= -3.0 * d.floor.scale
    knee = d.forward_knee if is_forward else d.reverse_knee
    return _injected(i, knee, slope) if knee > 0.0 and (i > 1e-18 if is_forward else i < -1e-18) else i


def _ln_spice_diode_charge(d, v, current, slope, capacitance):
    charge = _ln_depletion_charges(v, d.floor_layer, d.side_layer, capacitance)
    capacitance[0] += d.transit * slope
    return charge + d.transit * current


def _conducted(d, across, slope):
    i = _ln_spice_diode_current(d, across, slope)
    slope[0] += d.gmin
    return i + d.gmin * across


def _most_of(v, series, edge, scale):
    return scale * _log1p(_div(v, series * edge)) if edge > 0.0 else v


def _junction_step(d, i, slope, through):
    if i * through > 0.0 and abs(i) > abs(through):
        return _div(_log(_div(through, i)), _div(slope, i) + _div(1.0, through * d.series))
    return _div(through - i, slope + _div(1.0, d.series))


def _ln_spice_diode_junction(d, v):
    MOST = 100
    rounding = 4.0 * 2.2e-16
    low = v if v < 0.0 else 0.0
    high = 0.0 if v < 0.0 else v
    w = v
    slope = [0.0]
    if not d.series > 0.0 or v == 0.0:
        return v
    if v > 0.0:
        w = _fmin(v, _most_of(v, d.series, d.floor.saturation, d.floor.scale))
    elif v < -d.breakdown:
        w = _fmax(v, -d.breakdown - _most_of(-v - d.breakdown, d.series, d.floor.saturation, d.reverse_scale))
    for k in range(0, MOST):
        i = _conducted(d, w, slope)
        through = _div(v - w, d.series)
        step = _junction_step(d, i, slope[0], through)
        if through > i:
            low = w
        else:
            high = w
        next = w + step
        if step * step <= rounding * abs(w) * _fmin(d.floor.scale, d.reverse_scale):
            return next
        w = next if next >= low and next <= high else 0.5 * (low + high)
    return w


def _ln_spice_diode_branches(d, v, flow):
    across = _ln_spice_diode_junction(d, v[_LN_DIODE_A] - v[_LN_DIODE_N])
    g = [0.0]
    c = [0.0]
    flow[_LN_DIODE_RESISTANCE] = _ln_flow(d.conductance * (v[_LN_DIODE_P] - v[_LN_DIODE_A]), [d.conductance, 0.0, 0.0])
    i = _ln_spice_diode_current(d, across, g)
    q = _ln_spice_diode_charge(d, across, i, g[0], c)
    g[0] += d.gmin
    flow[_LN_DIODE_CURRENT] = _ln_flow(i + d.gmin * across, [_div(g[0], 1.0 + g[0] * d.series), 0.0, 0.0])
    flow[_LN_DIODE_CHARGE] = _ln_flow(q, [c[0], 0.0, 0.0])


def _ln_spice_diode_limit(d, v_old, v):
    across = v_old[_LN_DIODE_A] - v_old[_LN_DIODE_N]
    way = v[_LN_DIODE_A] - v[_LN_DIODE_N] - across
    slope = [0.0]
    if across + way <= 0.0 if way > 0.0 else not math.isfinite(d.breakdown):
        return 0
    old = _ln_spice_diode_junction(d, across)
    if d.series > 0.0:
        _conducted(d, old, slope)
    wanted = old + _div(way, 1.0 + slope[0] * d.series)
    to = _ln_junction_limit(old, wanted, d.floor.scale) if wanted > old else wanted
    if wanted < old and math.isfinite(d.breakdown):
        back = _ln_junction_limit(-(old + d.breakdown), -(wanted + d.breakdown), d.reverse_scale)
        if back < -(wanted + d.breakdown):
            to = -back - d.breakdown
    if not (to < wanted or to > wanted):
        return 0
    v[_LN_DIODE_A] = v[_LN_DIODE_N] + to + d.series * _conducted(d, to, slope)
    return 1


def _base_charge(b, c, be, bc):
    q1 = _div(1.0, 1.0 - b.per_forward_early * bc - b.per_reverse_early * be)
    q2 = b.per_forward_knee * c.forward.value + b.per_reverse_knee * c.reverse.value
    inside = 1.0 + 4.0 * q2
    base = inside if inside > 1e-12 else 1e-12
    is_root = not (b.knee_power < 0.5 or b.knee_power > 0.5)
    power = _sqrt(base) if is_root else _pow(base, b.knee_power)
    half = 0.5 * (1.0 + power)
    steep = _div(2.0 * q1 * b.knee_power * power, inside) if inside > 1e-12 else 0.0
    return _ln_bjt_flow(q1 * half, q1 * q1 * half * b.per_reverse_early + steep * b.per_forward_knee * c.forward.be,
        q1 * q1 * half * b.per_forward_early + steep * b.per_reverse_knee * c.reverse.bc)


def _series(term, count, s, slope):
    value = 0.0
    slope[0] = 0.0
    for k in range(count - 1, 0 - 1, -1):
        slope[0] = slope[0] * s + value
        value = value * s + term[k]
    return value


def _crowding(z, slope):
    TERMS = 5
    over = [1.0, 2.0 / 5.0, 17.0 / 105.0, 62.0 / 945.0, 1382.0 / 51975.0]
    under = [1.0, 2.0 / 3.0, 17.0 / 45.0, 62.0 / 315.0, 1382.0 / 14175.0]
    if z < 0.05:
        steep = [0.0]
        fall = [0.0]
        above = _series(over, TERMS, z * z, steep)
        below = _series(under, TERMS, z * z, fall)
        slope[0] = _div(2.0 * z * (steep[0] - _div(above, below) * fall[0]), below)
        return _div(above, below)
    t = _tan(z)
    rise = 1.0 + t * t
    below = z * t * t
    slope[0] = 3.0 * (_div(t * t, below) - _div((t - z) * (t * t + 2.0 * z * t * rise), below * below))
    return _div(3.0 * (t - z), below)


def _base_resistance(b, qb, i, i_be, i_bc):
    if not b.base_half > 0.0:
        r = _div(b.base_more, qb.value)
        steep = _div(-r, qb.value)
        return _ln_bjt_flow(b.base_least + r, steep * qb.be, steep * qb.bc)
    u = _div(i, b.base_half) if _div(i, b.base_half) > 1e-9 else 1e-9
    root = _sqrt(u)
    inside = _sqrt(1.0 + 14.59025 * u)
    z = _div(14.59025 * root, 2.4317 * (inside + 1.0))
    slope = [0.0]
    r = b.base_more * _crowding(z, slope)
    if not _div(i, b.base_half) > 1e-9:
        return _ln_bjt_flow(b.base_least + r, 0.0, 0.0)
    dz = _div(14.59025, 2.0 * inside * 2.4317 * root) - _div(z, 2.0 * u)
    steep = _div(b.base_more * slope[0] * dz, b.base_half)
    return _ln_bjt_flow(b.base_least + r, steep * i_be, steep * i_bc)


def _forward_charge(b, c, bc):
    i = c.forward.value
    g = c.forward.be
    more = 0.0
    more_be = 0.0
    more_bc = 0.0
    if b.bias_transit > 0.0 and i > 0.0:
        share = _div(i, i + b.transit_current) if b.transit_current > 0.0 else 1.0
        slope = [0.0]
        far = _ln_junction_exp(bc * b.per_transit_voltage, slope)
        more = b.bias_transit * share * share * far
        more_be = _div(2.0 * more * (1.0 - share) * g, i) if b.transit_current > 0.0 else 0.0
        more_bc = b.bias_transit * share * share * slope[0] * b.per_transit_voltage
    tf = _div(b.forward_transit, c.qb.value)
    charge = tf * i * (1.0 + more)
    return _ln_bjt_flow(charge, tf * (g * (1.0 + more) + i * more_be) - _div(charge * c.qb.be, c.qb.value),
        tf * i * more_bc - _div(charge * c.qb.bc, c.qb.value))


def _ln_bjt_late_transport(flows, forward, by_forward):
    per_qb = _div(1.0, flows.qb.value)
    through = (forward - flows.reverse.value) * per_qb
    by_forward[0] = per_qb
    return _ln_bjt_flow(through, -through * flows.qb.be * per_qb, (-flows.reverse.bc - through * flows.qb.bc) * per_qb)


def _widened(b, v, slope):
    e = b.doping * _ln_junction_exp(_div(v, b.vt), slope)
    k = _sqrt(1.0 + e)
    slope[0] *= _div(0.5 * b.doping, b.vt * k)
    return _div(e, 1.0 + k)


def _ln_bjt_epitaxial(b, bc, bx, layer):
    near_slope = [0.0]
    far_slope = [0.0]
    near = _widened(b, bc, near_slope)
    far = _widened(b, bx, far_slope)
    v = bc - bx
    top = b.vt * (near - far - _log1p(_div(near - far, 2.0 + far))) + v
    per = _div(b.epitaxial, 1.0 + _div(v, b.drift))
    i = top * per
    less = _div(i, b.drift + v)
    by_near = _div(b.vt * near_slope[0] * (1.0 + near), 2.0 + near)
    by_far = _div(b.vt * far_slope[0] * (1.0 + far), 2.0 + far)
    layer.current = _ln_bjt_flow(i, -(by_far + 1.0) * per + less, (by_near + 1.0) * per - less) if v > 0.0 else _ln_bjt_flow(
        v * b.epitaxial, -b.epitaxial, b.epitaxial)
    layer.near = b.epitaxial_charge * near
    layer.near_slope = b.epitaxial_charge * near_slope[0]
    layer.far = b.epitaxial_charge * far
    layer.far_slope = b.epitaxial_charge * far_slope[0]


def _ln_bjt_evaluate(b, be, bc, flows):
    leak_slope = [0.0]
    slope = [0.0]
    by_forward = [0.0]
    flows.forward.value = _ln_spice_junction(be, b.forward_saturation, b.forward_scale, _Member(flows.forward, "be"))
    flows.reverse.value = _ln_spice_junction(bc, b.reverse_saturation, b.reverse_scale, _Member(flows.reverse, "bc"))
    flows.reverse.be = 0.0
    flows.forward.bc = flows.reverse.be
    flows.qb = _base_charge(b, flows, be, bc)
    flows.transport = _ln_bjt_late_transport(flows, flows.forward.value, by_forward)
    flows.transport.be += by_forward[0] * flows.forward.be
    leak = _ln_spice_junction(be, b.forward_leak, b.forward_leak_scale, leak_slope)
    flows.base_emitter = _ln_bjt_flow(_div(flows.forward.value, b.forward_gain) + leak + b.gmin * be, _div(flows.forward.be,
        b.forward_gain) + leak_slope[0] + b.gmin, 0.0)
    leak = _ln_spice_junction(bc, b.reverse_leak, b.reverse_leak_scale, leak_slope)
    flows.base_collector = _ln_bjt_flow(_div(flows.reverse.value, b.reverse_gain) + leak + b.gmin * bc, 0.0, _div(
        flows.reverse.bc, b.reverse_gain) + leak_slope[0] + b.gmin)
    flows.base_resistance = _base_resistance(b, flows.qb, flows.base_emitter.value + flows.base_collector.value,
        flows.base_emitter.be, flows.base_collector.bc)
    flows.emitter_charge = _forward_charge(b, flows, bc)
    flows.emitter_charge.value += _ln_depletion_charge(be, b.be, slope)
    flows.emitter_charge.be += slope[0]
    flows.collector_charge = _ln_bjt_flow(b.reverse_transit * flows.reverse.value + _ln_depletion_charge(bc, b.bc, slope), 0.0,
        0.0)
    flows.collector_charge.bc = b.reverse_transit * flows.reverse.bc + slope[0]


def _ln_bjt_substrate_charge(v, layer, slope):
    if v < 0.0:
        return _ln_depletion_charge(v, layer, slope)
    slope[0] = layer.capacitance * (1.0 + _div(layer.grading * v, layer.potential))
    return layer.capacitance * v * (1.0 + _div(0.5 * layer.grading * v, layer.potential))


def _through_base(v, r):
    g = _div(1, r.value) if r.value > 0 else 0
    i = v * g
    return _ln_flow(i, [g, -i * g * r.be, -i * g * r.bc])


def _substrate_current(b, v, way, lies):
    g = [0.0]
    i = _ln_spice_junction(way * v, b.substrate_saturation, b.substrate_scale, g)
    return _ln_flow(lies * (way * i + b.gmin * v), [lies * (g[0] + b.gmin), 0.0, 0.0])


def _substrate_charge(b, v, way, lies):
    c = [0.0]
    q = _ln_bjt_substrate_charge(way * v, b.substrate, c)
    return _ln_flow(lies * way * q, [lies * c[0], 0.0, 0.0])


def _excess_phase(b, currents, v, flow):
    g = _div(1, _LN_BJT_PER_AMPERE)
    lag = v[_LN_BJT_LAG] - v[_LN_BJT_EI]
    late = v[_LN_BJT_LATE] - v[_LN_BJT_EI]
    by_late = [0.0]
    through = _ln_bjt_late_transport(currents, g * late, by_late)
    flow[_LN_BJT_THROUGH] = _ln_flow(through.value, [through.be, through.bc, g * by_late[0]])
    flow[_LN_BJT_LAG_IN] = _ln_flow(currents.forward.value, [currents.forward.be, 0.0, 0.0])
    flow[_LN_BJT_LAG_OUT] = _ln_flow(g * late, [g, 0.0, 0.0])
    flow[_LN_BJT_LAG_STORE] = _ln_flow(g * b.delay * lag, [g * b.delay, 0.0, 0.0])
    flow[_LN_BJT_LATE_IN] = _ln_flow(g * (late - lag), [g, 0.0, 0.0])
    flow[_LN_BJT_LATE_STORE] = _ln_flow(g * b.delay / 3 * late, [g * b.delay / 3, 0.0, 0.0])


def _quasi_saturation(b, v, flow):
    layer = _ln_epitaxial()
    _ln_bjt_epitaxial(b, v[_LN_BJT_BI] - v[_LN_BJT_CJ], v[_LN_BJT_BI] - v[_LN_BJT_CI], layer)
    flow[_LN_BJT_EPITAXIAL] = _ln_flow(layer.current.value, [layer.current.be, layer.current.bc, 0.0])
    flow[_LN_BJT_CHARGE_C].value += layer.near
    flow[_LN_BJT_CHARGE_C].slope[0] += layer.near_slope
    flow[_LN_BJT_CHARGE_F] = _ln_flow(layer.far, [layer.far_slope, 0.0, 0.0])


def _ln_bjt_branches(b, v, flow):
    currents = _ln_bjt_flows()
    c = [0.0]
    _ln_bjt_evaluate(b, v[_LN_BJT_BI] - v[_LN_BJT_EI], v[_LN_BJT_BI] - v[_LN_BJT_CJ], currents)
    flow[_LN_BJT_AT_C] = _ln_flow((v[_LN_BJT_C] - v[_LN_BJT_CI]) * b.collector, [b.collector, 0.0, 0.0])
    flow[_LN_BJT_AT_E] = _ln_flow((v[_LN_BJT_E] - v[_LN_BJT_EI]) * b.emitter, [b.emitter, 0.0, 0.0])
    flow[_LN_BJT_AT_B] = _through_base(v[_LN_BJT_B] - v[_LN_BJT_BI], currents.base_resistance)
    flow[_LN_BJT_BASE_E] = _ln_flow(currents.base_emitter.value, [currents.base_emitter.be, 0.0, 0.0])
    flow[_LN_BJT_BASE_C] = _ln_flow(currents.base_collector.value, [currents.base_collector.bc, 0.0, 0.0])
    flow[_LN_BJT_THROUGH] = _ln_flow(currents.transport.value, [currents.transport.be, currents.transport.bc, 0.0])
    flow[_LN_BJT_CHARGE_E] = _ln_flow(currents.emitter_charge.value, [currents.emitter_charge.be, currents.emitter_charge.bc,
        0.0])
    flow[_LN_BJT_CHARGE_C] = _ln_flow(currents.collector_charge.value, [currents.collector_charge.bc, 0.0, 0.0])
    x = _ln_depletion_charge(v[_LN_BJT_B] - v[_LN_BJT_CI], b.bx, c)
    flow[_LN_BJT_CHARGE_X] = _ln_flow(x, [c[0], 0.0, 0.0])
    flow[_LN_BJT_CHARGE_S] = _substrate_charge(b, v[_LN_BJT_S] - v[_LN_BJT_CJ], 1, b.to_collector)
    flow[_LN_BJT_CHARGE_L] = _substrate_charge(b, v[_LN_BJT_S] - v[_LN_BJT_BI], -1, b.to_base)
    flow[_LN_BJT_LEAK_S] = _substrate_current(b, v[_LN_BJT_S] - v[_LN_BJT_CJ], 1, b.to_collector)
    flow[_LN_BJT_LEAK_L] = _substrate_current(b, v[_LN_BJT_S] - v[_LN_BJT_BI], -1, b.to_base)
    flow[_LN_BJT_CHARGE_F] = _ln_flow(0.0)
    if b.epitaxial > 0:
        _quasi_saturation(b, v, flow)
    if b.delay > 0:
        _excess_phase(b, currents, v, flow)


class _item_99(_Record):
    __slots__ = ("node", "scale")
    KINDS = (0, 0)

    def __init__(self, node=0.0, scale=0.0):
        self.node = node
        self.scale = scale


def _ln_bjt_limit(b, v_old, v):
    ends = [_item_99(_LN_BJT_EI, b.forward_scale), _item_99(_LN_BJT_CI, b.vt), _item_99(_LN_BJT_CJ, b.reverse_scale)]
    moved = 0
    for k in range(0, 3):
        if ends[k].node == _LN_BJT_CI and not b.epitaxial > 0:
            continue
        wanted = v[_LN_BJT_BI] - v[ends[k].node]
        to = _ln_junction_limit(v_old[_LN_BJT_BI] - v_old[ends[k].node], wanted, ends[k].scale)
        if to < wanted:
            v[ends[k].node] = v[_LN_BJT_BI] - to
            moved = 1
    return moved


def _current(j, over, across):
    u = _ln_dual(over, 1.0, 0.0, 0.0)
    ds = _ln_dual(across, 0.0, 1.0, 0.0)
    if not over > 0:
        return _ln_dual_constant(0)
    gain = _ln_dual_affine(j.gain, j.gain * j.modulation, ds)
    bottom = (u if over < across else ds).copy()
    rest = _ln_dual_subtract(u, bottom)
    even = _ln_dual_multiply(bottom, _ln_dual_add(u, rest))
    cube = _ln_dual_multiply(bottom, _ln_dual_add(_ln_dual_square(bottom), _ln_dual_scale(3, _ln_dual_multiply(u, rest))))
    return _ln_dual_multiply(gain, _ln_dual_sum(j.even, even, j.tail, cube))


def _channel(j, gs, ds):
    if not ds < 0:
        i = _current(j, gs - j.threshold, ds)
        return _ln_flow(i.value, [i.gs, i.ds, 0.0])
    i = _current(j, gs - ds - j.threshold, -ds)
    return _ln_flow(-i.value, [-i.gs, i.gs + i.ds, 0.0])


def _gate_junction(j, layer, v, current, charge):
    g = [0.0]
    c = [0.0]
    i = _ln_spice_junction(v, j.saturation, j.vt, g)
    q = _ln_depletion_charge(v, layer, c)
    current.set(_ln_flow(i + j.gmin * v, [g[0] + j.gmin, 0.0, 0.0]))
    charge.set(_ln_flow(q, [c[0], 0.0, 0.0]))


def _ln_jfet_branches(j, v, flow):
    flow[_LN_JFET_AT_D] = _ln_flow((v[_LN_JFET_D] - v[_LN_JFET_DI]) * j.drain, [j.drain, 0.0, 0.0])
    flow[_LN_JFET_AT_S] = _ln_flow((v[_LN_JFET_S] - v[_LN_JFET_SI]) * j.source, [j.source, 0.0, 0.0])
    flow[_LN_JFET_CHANNEL] = _channel(j, v[_LN_JFET_G] - v[_LN_JFET_SI], v[_LN_JFET_DI] - v[_LN_JFET_SI])
    _gate_junction(j, j.at_drain, v[_LN_JFET_G] - v[_LN_JFET_DI], flow[_LN_JFET_GATE_D], flow[_LN_JFET_CHARGE_D])
    _gate_junction(j, j.at_source, v[_LN_JFET_G] - v[_LN_JFET_SI], flow[_LN_JFET_GATE_S], flow[_LN_JFET_CHARGE_S])


def _ln_jfet_limit(j, v_old, v):
    moved = 0
    nodes = [_LN_JFET_SI, _LN_JFET_DI]
    for k in range(0, 2):
        wanted = v[_LN_JFET_G] - v[nodes[k]]
        to = _ln_junction_limit(v_old[_LN_JFET_G] - v_old[nodes[k]], wanted, j.vt)
        if to < wanted:
            v[_LN_JFET_G] = v[nodes[k]] + to
            moved = 1
    return moved


def _bulk_root(c, bs):
    if bs <= 0.0:
        root = _sqrt(c.potential - bs)
        return _ln_dual(root, 0.0, 0.0, _div(-0.5, root))
    root = _sqrt(c.potential)
    tangent = root - _div(0.5 * bs, root)
    return _ln_dual(tangent, 0.0, 0.0, _div(-0.5, root)) if tangent > 0.0 else _ln_dual_constant(0.0)


def _ln_channel_threshold(c, bs):
    return c.built_in + c.body * _bulk_root(c, bs).value


def _ln_long_channel(c, gs, ds, bs, state):
    root = _bulk_root(c, bs)
    u = _ln_dual_affine(gs - c.built_in, -c.body, root)
    drain = _ln_dual(ds, 0.0, 1.0, 0.0)
    state.set(_ln_channel_state(over=u.copy(), over_drain=_ln_dual_constant(0.0), root=root.copy(), body=_ln_dual_constant(
        c.body), bulk_share=_ln_dual_constant(0.0)))
    state.over.gs = 1.0
    if u.value <= 0.0:
        return _ln_dual_constant(0.0)
    gain = _ln_dual_affine(c.gain, c.gain * c.modulation, drain)
    if u.value <= ds:
        return _ln_dual_multiply(gain, _ln_dual_scale(0.5, _ln_dual_square(state.over)))
    state.over_drain = _ln_dual_subtract(state.over, drain)
    return _ln_dual_multiply(gain, _ln_dual_multiply(drain, _ln_dual_sum(1.0, state.over, -0.5, drain)))


def _turned(f, sign):
    return _ln_dual(sign * f.value, sign * f.gs, -sign * (f.gs + f.ds + f.bs), sign * f.bs)


def _forward(c, gs, ds, bs, flows):
    state = _ln_channel_state()
    flows.current = _ln_short_channel_current(c, gs, ds, bs, state) if c.level > 2.0 else _ln_bulk_channel(c, gs, ds, bs,
        state) if c.level > 1.0 else _ln_long_channel(c, gs, ds, bs, state)
    _ln_channel_charges(c, state, flows)


def _ln_channel_evaluate(c, gs, ds, bs, flows):
    if not ds < 0.0:
        _forward(c, gs, ds, bs, flows)
        return
    channel = _ln_channel_flows()
    _forward(c, gs - ds, -ds, bs - ds, channel)
    flows.current = _turned(channel.current, -1.0)
    flows.to_source = _turned(channel.to_drain, 1.0)
    flows.to_drain = _turned(channel.to_source, 1.0)
    flows.to_bulk = _turned(channel.to_bulk, 1.0)


def _ln_enable_limit(old, wanted, threshold):
    over = old - threshold
    reach = 2.0 * abs(over) + 2.0
    if over < 0.0 and wanted > threshold + 0.5:
        return threshold + 0.5
    if wanted > old + reach:
        return old + reach
    return old - reach if wanted < old - reach else wanted


def _ln_drain_limit(old, wanted):
    if wanted > old:
        return _fmin(wanted, 4.0) if old < 3.5 else _fmin(wanted, 3.0 * old + 2.0)
    return _fmax(wanted, -0.5) if old < 3.5 else _fmax(wanted, 2.0)


class _bulk_channel(_Record):
    __slots__ = ("drain", "root", "root_drain", "base", "slope", "below", "width")
    KINDS = (_ln_dual, _ln_dual, _ln_dual, _ln_dual, _ln_dual, _ln_dual, 0)

    def __init__(self, drain=None, root=None, root_drain=None, base=None, slope=None, below=None, width=0.0):
        self.drain = drain if drain is not None else _ln_dual()
        self.root = root if root is not None else _ln_dual()
        self.root_drain = root_drain if root_drain is not None else _ln_dual()
        self.base = base if base is not None else _ln_dual()
        self.slope = slope if slope is not None else _ln_dual()
        self.below = below if below is not None else _ln_dual()
        self.width = width


def _taken(e, root):
    if not e.depth > 0.0:
        return _ln_dual_constant(0.0)
    wide = _ln_dual_root(_ln_dual_affine(1.0, _div(2.0 * e.depletion, e.depth), root))
    return _ln_dual_affine(_div(-0.5 * e.depth, e.length), _div(0.5 * e.depth, e.length), wide)


def _at_voltages(c, ds, bs):
    e = c.extra
    channel = _bulk_channel(drain=_ln_dual(ds, 0.0, 1.0, 0.0), width=1.0 + e.narrow)
    bulk = _ln_dual(bs, 0.0, 0.0, 1.0)
    channel.below = _ln_dual_affine(c.potential, -1.0, bulk)
    channel.root = _ln_channel_root(c.potential, bulk)
    channel.root_drain = _ln_channel_root(c.potential, _ln_dual_subtract(bulk, channel.drain))
    channel.base = _ln_dual_affine(c.built_in, e.narrow, channel.below)
    channel.slope = _ln_dual_affine(c.body, -c.body, _ln_dual_add(_taken(e, channel.root), _taken(e, channel.root_drain)))
    return channel.copy()


def _mobility(e, over):
    if not over.value > e.critical or not e.exponent > 0.0:
        return _ln_dual_constant(1.0)
    value = _pow(_div(e.critical, over.value), e.exponent)
    return _ln_dual_through(over, value, _div(-value * e.exponent, over.value))


def _pinched(channel, gate):
    v = _ln_dual_scale(_div(1.0, channel.width), gate)
    slope = _ln_dual_scale(_div(1.0, channel.width), channel.slope)
    if not slope.value > 0.0:
        return _ln_dual_greater(v, _ln_dual_constant(0.0))
    all = _ln_dual_add(v, channel.below)
    square = _ln_dual_square(slope)
    if not all.value > 0.0:
        return _ln_dual_constant(0.0)
    root = _ln_dual_root(_ln_dual_sum(1.0, square, 4.0, all))
    end = _ln_dual_sum(1.0, v, 0.5, _ln_dual_subtract(square, _ln_dual_multiply(slope, root)))
    return _ln_dual_greater(end, _ln_dual_constant(0.0))


def _quartic(k, x):
    return (((x + k[0].value) * x + k[1].value) * x + k[2].value) * x + k[3].value


def _limited(channel, gate, pinch, velocity):
    slope = _ln_dual_scale(_div(1.0, channel.width), channel.slope)
    below = channel.below.copy()
    all = _ln_dual_sum(_div(1.0, channel.width), gate, 1.0, below)
    cube = _ln_dual_multiply(channel.root, _ln_dual_square(channel.root))
    far = _ln_dual_multiply(all, _ln_dual_add(below, velocity))
    rest = _ln_dual_sum(1.0, _ln_dual_square(below), 4.0 / 3.0, _ln_dual_multiply(slope, cube))
    k = [_ln_dual_scale(4.0 / 3.0, slope), _ln_dual_sum(-2.0, all, -2.0, velocity), _ln_dual_scale(-2.0, _ln_dual_multiply(slope,
        velocity)), _ln_dual_sum(2.0, far, -1.0, rest)]
    low = channel.root.value
    high = _sqrt(_fmax(pinch.value + below.value, 0.0))
    if not high > low or not _quartic(k, low) > 0.0 or _quartic(k, high) > 0.0:
        return pinch.copy()
    for i in range(0, 60):
        if not (high - low > 1e-16 * high):
            break
        middle = 0.5 * (low + high)
        if _quartic(k, middle) > 0.0:
            low = middle
        else:
            high = middle
    x = 0.5 * (low + high)
    rise = ((4.0 * x + 3.0 * k[0].value) * x + 2.0 * k[1].value) * x + k[2].value
    moved = _ln_dual_add(_ln_dual_sum(x * x * x, k[0], x * x, k[1]), _ln_dual_sum(x, k[2], 1.0, k[3]))
    root = _ln_dual(x, _div(-moved.gs, rise), _div(-moved.ds, rise), _div(-moved.bs, rise))
    return _ln_dual_subtract(_ln_dual_square(root), below)


def _level2_shortening(c, channel, saturation, mobile):
    e = c.extra
    if c.modulation > 0.0 or not e.depletion > 0.0:
        return _ln_dual_scale(c.modulation * e.length, channel.drain)
    beyond = _ln_dual_subtract(channel.drain, saturation)
    if not e.saturation > 0.0:
        part = _ln_dual_scale(0.25, beyond)
        round = _ln_dual_root(_ln_dual_affine(1.0, 1.0, _ln_dual_square(part)))
        return _ln_dual_scale(e.depletion, _ln_dual_root(_ln_dual_add(part, round)))
    depth = e.depletion * e.shallow
    field = _ln_dual_scale(_div(0.5 * depth * e.saturation, e.length), _ln_dual_reciprocal(mobile))
    if not beyond.value > 0.0:
        return _ln_dual_constant(0.0)
    return _ln_dual_scale(depth, _ln_dual_subtract(_ln_dual_root(_ln_dual_add(_ln_dual_square(field), beyond)), field))


def _level2_lengthened(e, by):
    reach = e.punched if e.depletion > 0.0 else 0.0
    left = _ln_dual_affine(e.length, -1.0, by)
    if not left.value < e.punched:
        return _ln_dual_scale(e.length, _ln_dual_reciprocal(left))
    return _ln_dual_affine(_div(e.length, e.punched) * (1.0 - _div(e.length - reach, e.punched)), _div(e.length,
        e.punched * e.punched), by)


def _carried(channel, gate, v, root):
    cubes = _ln_dual_subtract(_ln_dual_multiply(root, _ln_dual_square(root)), _ln_dual_multiply(channel.root, _ln_dual_square(
        channel.root)))
    bulk = _ln_dual_multiply(channel.slope, cubes)
    return _ln_dual_sum(1.0, _ln_dual_multiply(v, _ln_dual_sum(1.0, gate, -0.5 * channel.width, v)), -2.0 / 3.0, bulk)


def _steepness(potential, root, v):
    return _ln_dual_scale(_div(-0.5, potential * _sqrt(potential)), _ln_dual_square(root)) if v > 0.0 else _ln_dual_scale(-0.5,
        _ln_dual_reciprocal(root))


def _ideality(c, channel, ds, bs):
    e = c.extra
    roots = [channel.root.copy(), channel.root_drain.copy()]
    at = [bs, bs - ds]
    change = _ln_dual_multiply(channel.slope, _steepness(c.potential, channel.root, bs))
    for end in range(0, 2):
        if not (e.depth > 0.0):
            break
        wide = _ln_dual_root(_ln_dual_affine(1.0, _div(2.0 * e.depletion, e.depth), roots[end]))
        steep = _ln_dual_divide(_steepness(c.potential, roots[end], at[end]), wide)
        change = _ln_dual_sum(1.0, change, _div(-0.5 * c.body * e.depletion, e.length), _ln_dual_multiply(steep, channel.root))
    return _ln_dual_affine(1.0 + e.states + e.narrow, -1.0, change)


def _factor_of(channel, pinch):
    far = _ln_dual_root(_ln_dual_greater(_ln_dual_add(pinch, channel.below), _ln_dual_constant(0.0)))
    return _ln_dual_affine(channel.width, 1.0, _ln_dual_divide(channel.slope, _ln_dual_add(far, channel.root)))


def _ln_bulk_channel(c, gs, ds, bs, state):
    e = c.extra
    channel = _at_voltages(c, ds, bs)
    gate = _ln_dual(gs, 1.0, 0.0, 0.0)
    threshold = _ln_dual_add(channel.base, _ln_dual_multiply(channel.slope, channel.root))
    state.set(_ln_channel_state(over=_ln_dual_subtract(gate, threshold), over_drain=_ln_dual_constant(0.0),
        root=channel.root.copy(), body=_ln_dual_sum(1.0, channel.slope, e.narrow, channel.root), bulk_share=_ln_dual_constant(
        0.0)))
    on = threshold.copy()
    width = _ln_dual_constant(e.vt)
    if e.states > 0.0:
        width = _ln_dual_scale(e.vt, _ideality(c, channel, ds, bs))
        on = _ln_dual_add(threshold, width)
    elif gs <= threshold.value:
        return _ln_dual_constant(0.0)
    high = _ln_dual_subtract(_ln_dual_greater(gate, on), channel.base)
    mobile = _mobility(e, _ln_dual_subtract(gate, on))
    pinch = _pinched(channel, high)
    saturation = (_limited(channel, high, pinch, _ln_dual_scale(e.saturation, _ln_dual_reciprocal(
        mobile))) if e.saturation > 0.0 else pinch).copy()
    saturated = ds > saturation.value
    v = (saturation if saturated else channel.drain).copy()
    below = _ln_dual(bs, 0.0, 0.0, 1.0)
    root = (_ln_channel_root(c.potential, _ln_dual_subtract(below, saturation)) if saturated else channel.root_drain).copy()
    current = _ln_dual_multiply(mobile, _level2_lengthened(e, _level2_shortening(c, channel, saturation, mobile)))
    current = _ln_dual_scale(c.gain, _ln_dual_multiply(current, _carried(channel, high, v, root)))
    if gs < on.value:
        current = _ln_dual_multiply(current, _ln_dual_exp(_ln_dual_divide(_ln_dual_subtract(gate, on), width)))
    factor = _factor_of(channel, pinch)
    left = _ln_dual_subtract(state.over, _ln_dual_multiply(factor, v))
    state.bulk_share = _ln_dual_affine(1.0, -1.0, _ln_dual_reciprocal(factor))
    if left.value > 0.0:
        state.over_drain = left.copy()
    return current.copy()


def _gate_share(e, root):
    if not (e.depth > 0.0 and e.depletion > 0.0):
        return _ln_dual_constant(1.0)
    plane = _ln_dual_scale(_div(e.depletion, e.depth), root)
    cylinder = _ln_dual_affine(0.0631353, 1.0, _ln_dual_sum(0.8013292, plane, -0.01110777, _ln_dual_square(plane)))
    angle = _ln_dual_divide(plane, _ln_dual_affine(1.0, 1.0, plane))
    cosine = _ln_dual_root(_ln_dual_affine(1.0, -1.0, _ln_dual_square(angle)))
    reach = _div(e.reach, e.depth)
    by_length = _div(e.depth, e.length)
    return _ln_dual_affine(1.0 + by_length * reach, -by_length, _ln_dual_multiply(_ln_dual_affine(reach, 1.0, cylinder), cosine))


def _shortening(e, ds, saturation, current, fall):
    alpha = e.depletion * e.depletion
    reach = e.stretch * alpha
    saturated = ds.value > saturation.value
    beyond = _ln_dual_subtract(ds, saturation)
    if not e.saturation > 0.0:
        if saturated:
            return _ln_dual_root(_ln_dual_scale(reach, _ln_dual_sum(1.0, beyond, 0.125, saturation)))
        part = _ln_dual_square(_ln_dual_square(_ln_dual_divide(ds, saturation)))
        return _ln_dual_multiply(_ln_dual_root(_ln_dual_scale(0.125 * reach, saturation)), part)
    if not saturated:
        return _ln_dual_constant(0.0)
    conductance = _ln_dual_multiply(current, fall)
    if conductance.value < 1e-12:
        conductance = _ln_dual_constant(1e-12)
    field = _ln_dual_scale(_div(0.5 * alpha * e.stretch, e.length), _ln_dual_divide(current, conductance))
    return _ln_dual_subtract(_ln_dual_root(_ln_dual_sum(1.0, _ln_dual_square(field), reach, beyond)), field)


def _lengthened(e, taken):
    part = _ln_dual_scale(_div(1.0, e.length), taken)
    if part.value > 0.5:
        part = _ln_dual_affine(1.0, -0.25, _ln_dual_reciprocal(part))
    return _ln_dual_reciprocal(_ln_dual_affine(1.0, -1.0, part))


def _saturation_voltage(pinched, critical, limited):
    if not limited:
        return pinched.copy()
    far = _ln_dual_root(_ln_dual_add(_ln_dual_square(pinched), _ln_dual_square(critical)))
    return _ln_dual_subtract(_ln_dual_add(pinched, critical), far)


def _strong(c, u, ds, factor, end):
    e = c.extra
    limited = e.saturation > 0.0
    rough = _ln_dual_affine(1.0, e.roughness, u)
    critical = _ln_dual_scale(e.saturation, rough)
    saturation = _saturation_voltage(_ln_dual_divide(u, factor), critical, limited)
    end.set(_ln_dual_lesser(ds, saturation))
    v = end.copy()
    current = _ln_dual_multiply(v, _ln_dual_subtract(u, _ln_dual_scale(0.5, _ln_dual_multiply(factor, v))))
    current = _ln_dual_scale(c.gain, _ln_dual_divide(current, rough))
    fall = _ln_dual_constant(0.0)
    if limited:
        velocity = _ln_dual_reciprocal(_ln_dual_affine(1.0, 1.0, _ln_dual_divide(v, critical)))
        current = _ln_dual_multiply(current, velocity)
        fall = _ln_dual_divide(_ln_dual_affine(1.0, -1.0, velocity), critical)
    if not (e.depletion > 0.0 and e.stretch > 0.0):
        return current.copy()
    return _ln_dual_multiply(current, _lengthened(e, _shortening(e, ds, saturation, current, fall)))


def _ln_short_channel_current(c, gs, ds, bs, state):
    e = c.extra
    gate = _ln_dual(gs, 1.0, 0.0, 0.0)
    drain = _ln_dual(ds, 0.0, 1.0, 0.0)
    root = _ln_channel_root(c.potential, _ln_dual(bs, 0.0, 0.0, 1.0))
    body = _ln_dual_scale(c.body, _gate_share(e, root))
    factor = _ln_dual_affine(1.0 + e.narrow, 0.25, _ln_dual_divide(body, root))
    whole_body = _ln_dual_sum(1.0, body, e.narrow, root)
    bulk = _ln_dual_multiply(whole_body, root)
    threshold = _ln_dual_affine(c.built_in, 1.0, _ln_dual_sum(1.0, bulk, -e.feedback, drain))
    state.set(_ln_channel_state(over=_ln_dual_subtract(gate, threshold), over_drain=_ln_dual_constant(0.0), root=root.copy(),
        body=whole_body.copy(), bulk_share=_ln_dual_affine(1.0, -1.0, _ln_dual_reciprocal(factor))))
    on = threshold.copy()
    width = _ln_dual_constant(e.vt)
    if e.states > 0.0:
        n = _ln_dual_affine(1.0 + e.states, 0.5, _ln_dual_divide(whole_body, root))
        width = _ln_dual_scale(e.vt, n)
        on = _ln_dual_add(threshold, width)
    elif gs <= threshold.value:
        return _ln_dual_constant(0.0)
    end = _ln_dual()
    current = _strong(c, _ln_dual_subtract(_ln_dual_greater(gate, on), threshold), drain, factor, end)
    if gs < on.value:
        current = _ln_dual_multiply(current, _ln_dual_exp(_ln_dual_divide(_ln_dual_subtract(gate, on), width)))
    left = _ln_dual_subtract(state.over, _ln_dual_multiply(factor, end))
    if left.value > 0.0:
        state.over_drain = left.copy()
    return current.copy()


def _share(cubic, near, far):
    sum = near.value + far.value
    n = _div(near.value, sum)
    f = _div(far.value, sum)
    value = ((cubic[3] * n + cubic[2] * f) * n + cubic[1] * f * f) * n + cubic[0] * f * f * f
    by_near = (3.0 * cubic[3] * n + 2.0 * cubic[2] * f) * n + cubic[1] * f * f - 2.0 * value
    by_far = (3.0 * cubic[0] * f + 2.0 * cubic[1] * n) * f + cubic[2] * n * n - 2.0 * value
    charge = _ln_dual_sum(by_near, near, by_far, far)
    charge.value = sum * value
    return charge.copy()
_whole = [2.0 / 3.0, 4.0 / 3.0, 4.0 / 3.0, 2.0 / 3.0]


def _without_channel(s):
    y = _ln_dual_add(_ln_dual_multiply(s.root, _ln_dual_add(s.root, s.body)), s.over)
    if not y.value > 0.0:
        return y.copy()
    if not s.body.value > 0.0:
        return _ln_dual_constant(0.0)
    inside = _ln_dual_root(_ln_dual_sum(0.25, _ln_dual_square(s.body), 1.0, y))
    return _ln_dual_divide(_ln_dual_multiply(s.body, y), _ln_dual_sum(1.0, inside, 0.5, s.body))


def _ln_channel_charges(c, s, to):
    oxide = c.oxide
    if not s.over.value > 0.0:
        to.to_drain = _ln_dual_constant(0.0)
        to.to_source = to.to_drain.copy()
        to.to_bulk = _ln_dual_scale(oxide, _without_channel(s))
        return
    all = _share(_whole, s.over, s.over_drain)
    drain = _share(c.at_drain, s.over, s.over_drain)
    lost = _ln_dual_subtract(s.over, all)
    to.to_source = _ln_dual_scale(oxide, _ln_dual_subtract(all, drain))
    to.to_drain = _ln_dual_scale(oxide, drain)
    to.to_bulk = _ln_dual_scale(oxide, _ln_dual_add(_ln_dual_multiply(s.body, s.root), _ln_dual_multiply(s.bulk_share, lost)))


def _of_channel(f):
    return _ln_flow(f.value, [f.gs, f.ds, f.bs])


def _bulk_junction(m, j, v, current, charge):
    g = [0.0]
    c = [0.0]
    i = _ln_spice_junction(v, j.saturation, m.vt, g)
    q = _ln_depletion_charges(v, j.floor, j.side, c)
    current.set(_ln_flow(i + m.gmin * v, [g[0] + m.gmin, 0.0, 0.0]))
    charge.set(_ln_flow(q + j.bare * v, [c[0] + j.bare, 0.0, 0.0]))


def _overlap(c, v, by_ds, by_bs, charge):
    charge.value += c * v
    charge.slope[0] += c
    charge.slope[1] += c * by_ds
    charge.slope[2] += c * by_bs


def _ln_mosfet_branches(m, v, flow):
    channel = _ln_channel_flows()
    _ln_channel_evaluate(m.channel, v[_LN_MOS_G] - v[_LN_MOS_SI], v[_LN_MOS_DI] - v[_LN_MOS_SI], v[_LN_MOS_B] - v[_LN_MOS_SI],
        channel)
    flow[_LN_MOS_AT_D] = _ln_flow((v[_LN_MOS_D] - v[_LN_MOS_DI]) * m.drain, [m.drain, 0.0, 0.0])
    flow[_LN_MOS_AT_S] = _ln_flow((v[_LN_MOS_S] - v[_LN_MOS_SI]) * m.source, [m.source, 0.0, 0.0])
    flow[_LN_MOS_CHANNEL] = _of_channel(channel.current)
    flow[_LN_MOS_CHARGE_S] = _of_channel(channel.to_source)
    flow[_LN_MOS_CHARGE_D] = _of_channel(channel.to_drain)
    flow[_LN_MOS_CHARGE_B] = _of_channel(channel.to_bulk)
    _overlap(m.over_source, v[_LN_MOS_G] - v[_LN_MOS_SI], 0, 0, flow[_LN_MOS_CHARGE_S])
    _overlap(m.over_drain, v[_LN_MOS_G] - v[_LN_MOS_DI], -1, 0, flow[_LN_MOS_CHARGE_D])
    _overlap(m.over_bulk, v[_LN_MOS_G] - v[_LN_MOS_B], 0, -1, flow[_LN_MOS_CHARGE_B])
    _bulk_junction(m, m.at_drain, v[_LN_MOS_B] - v[_LN_MOS_DI], flow[_LN_MOS_DIODE_D], flow[_LN_MOS_DEPLETION_D])
    _bulk_junction(m, m.at_source, v[_LN_MOS_B] - v[_LN_MOS_SI], flow[_LN_MOS_DIODE_S], flow[_LN_MOS_DEPLETION_S])


def _ln_mosfet_limit(m, v_old, v):
    low = _LN_MOS_DI if v_old[_LN_MOS_DI] < v_old[_LN_MOS_SI] else _LN_MOS_SI
    high = _LN_MOS_SI if low == _LN_MOS_DI else _LN_MOS_DI
    gate = v[_LN_MOS_G] - v[low]
    drain = v[high] - v[low]
    threshold = _ln_channel_threshold(m.channel, v_old[_LN_MOS_B] - v_old[low])
    to_gate = _ln_enable_limit(v_old[_LN_MOS_G] - v_old[low], gate, threshold)
    to_drain = _ln_drain_limit(v_old[high] - v_old[low], drain)
    moved = 0
    if to_gate < gate or to_gate > gate:
        v[_LN_MOS_G] = v[low] + to_gate
        moved = 1
    if to_drain < drain or to_drain > drain:
        v[high] = v[low] + to_drain
        moved = 1
    bs = v[_LN_MOS_B] - v[_LN_MOS_SI]
    to_bs = _ln_junction_limit(v_old[_LN_MOS_B] - v_old[_LN_MOS_SI], bs, m.vt)
    if to_bs < bs:
        v[_LN_MOS_B] = v[_LN_MOS_SI] + to_bs
        moved = 1
    bd = v[_LN_MOS_B] - v[_LN_MOS_DI]
    to_bd = _ln_junction_limit(v_old[_LN_MOS_B] - v_old[_LN_MOS_DI], bd, m.vt)
    if to_bd < bd:
        v[_LN_MOS_B] = v[_LN_MOS_DI] + to_bd
        moved = 1
    return moved
