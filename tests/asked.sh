#!/bin/sh
# SPDX-License-Identifier: MIT
# States on request: a mass has a position, and an inertia an angle, where the model, the command line or a list of signals
# asks for it, and only there. Positions against closed forms.
. "${srcdir:-.}/tests/shell.sh"
cd "$work" || exit 1
cat > body.xml << 'EOF'
<model name="a mass on a spring, another that falls" xmlns="urn:linnet:model:1">
  <mass id="m1" p="a" m="2 kg" v0="1 m/s"/>
  <spring id="s" p="a" n="0" k="8 N/m"/>
  <fixed-point id="w" p="0"/>
  <mass id="m2" p="b" m="2 kg"/> <weight id="g" p="b" m="2 kg"/> <damper id="air" p="b" n="0" d="2 N.s/m"/>
  <inertia id="J" p="shaft" J="1 kg.m^2" w0="2 rad/s" phi0="90 deg"/>
  <rotational-damper id="oil" p="shaft" n="r" d="0"/> <fixed-shaft id="f" p="r"/>
  <simulation duration="3 s" tolerance="1e-8"/>
  EXTRA
</model>
EOF
states() { # COUNT COMMAND... : the summary or check tells so many states
    number=$1
    shift
    expect 0 "$LINNET" "$@"
    cat out err | grep -qE "(states +|, )$number( states|\$)" || fail "not $number states: $*: $(cat out err)"
}
with() { sed "s|EXTRA|$1|" body.xml > x.xml; }

# ---- in the model ----
with ''
states 5 check x.xml # two velocities, the spring, the speed, and the angle by phi0
with '<record signals="m1.x"/>'
states 6 check x.xml
with '<record signals="*.x"/>'
states 7 check x.xml
with '<record signals="m1.*"/>'
states 5 check x.xml
with '<record name="e" expression="s.x-m1.x" unit="m"/>'
states 6 check x.xml
with '<measure name="top" kind="maximum" signal="m2.x"/>'
states 6 check x.xml
with '<record signals="m1.y"/>'
expect 3 "$LINNET" run x.xml -q && says err "there is no 'm1.y'; m1 has P, f, v, x"

# ---- against closed forms, by every method ----
with '<reference signal="m1.x" value="sin(2*t)/2" tolerance="1e-4"/> <reference signal="J.phi" value="pi/2 + 2*t" tolerance="1e-6"/> <reference signal="m2.x" value="-9.80665*(t - 1 + exp(-t))" tolerance="1e-4"/>'
for method in radau5 ida bdf2 tr-bdf2 rk45; do
    expect 0 "$LINNET" verify x.xml -q --method "$method" --tolerance 1e-7
done
for method in crank-nicolson rk4; do
    expect 0 "$LINNET" verify x.xml -q --method "$method" --step 1ms
done

# ---- from outside ----
with ''
states 6 run x.xml -o r.csv --measure 'top=maximum(m1.x)'
says err "top = 0.49999"
states 6 run x.xml -o r.csv --set m1.x0=2
if command -v gnuplot > /dev/null; then
    expect 0 "$LINNET" plot x.xml m2.x -q -o x.svg
fi

# ---- what has no position comes to rest at its speed; what has one does not ----
with ''
sed -i '/inertia/d; /rotational/d' x.xml
expect 0 "$LINNET" op x.xml && says out "-9.80665"
sed 's|</model>|<record signals="m2.x"/></model>|' x.xml > y.xml
expect 4 "$LINNET" op y.xml && says err "m2.x"

# ---- in components, repetitions and vectors; in types of one's own ----
cat > parts.xml << 'EOF'
<model name="parts" xmlns="urn:linnet:model:1">
  <component name="cart"><port name="p" domain="translational"/><mass id="m" p="p" m="2 kg" v0="1 m/s"/></component>
  <cart id="c1" p="a"/> <spring id="s" p="a" n="0" k="8 N/m"/>
  <cart id="c2" p="b"/> <spring id="s2" p="b" n="0" k="8 N/m"/>
  <repeat index="i" from="1" to="3">
    <mass id="r[i]" p="q[i]" m="2 kg" v0="1 m/s"/> <spring id="z[i]" p="q[i]" n="0" k="8 N/m"/>
  </repeat>
  <fixed-point id="w" p="0"/>
  <block-type name="counted"><input name="u"/><output name="y"/>
    <state name="total" optional="yes" doc="integral of u"/>
    <equation>y = 2*u</equation><equation with="total">der(total) = u</equation></block-type>
  <constant id="one" out="u" value="1"/> <counted id="k1" u="u" y="y1"/> <counted id="k2" u="u" y="y2"/>
  <simulation duration="3 s" tolerance="1e-8"/>
  <record signals="c1.m.x r[2].x k1.total"/>
  <reference signal="c1.m.x" value="sin(2*t)/2" tolerance="1e-6"/>
  <reference signal="r[2].x" value="sin(2*t)/2" tolerance="1e-6"/>
  <reference signal="k1.total" value="t" tolerance="1e-6"/>
</model>
EOF
expect 0 "$LINNET" verify parts.xml -q
states 13 check parts.xml # five masses with springs, three positions
expect 0 "$LINNET" check --flat parts.xml && cp out flat.xml && states 13 check flat.xml
sed 's/with="total"/with="totl"/' parts.xml > wrong.xml
expect 3 "$LINNET" check wrong.xml && says err 'with="totl" names no state of this type with optional="yes"'

finish
