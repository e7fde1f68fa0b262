# SPDX-License-Identifier: MIT
# The circuits of devices.sh, each in both languages.

both diode << 'X'
<voltage-source id="V1" p="1" n="0" V="0.7 V"/><spice-diode id="D1" p="1" n="0" IS="1e-14"/>
<voltage-source id="V2" p="2" n="0" V="-30 V"/><spice-diode id="D2" p="2" n="0" IS="1e-14" BV="20" IBV="1e-3" RS="100"/>
<current-source id="I3" p="0" n="3" I="20 mA"/><spice-diode id="D3" p="3" n="0" IS="2.5 nA" N="1.75" RS="0.6" area="3"/>
<voltage-source id="V4" p="4" n="0" V="-0.05 V"/><spice-diode id="D4" p="4" n="0" IS="1e-9"/>
<current-source id="I5" p="0" n="5" I="1 mA"/><spice-diode id="D5" p="5" n="0" IS="1e-13" temp="85 degC" N="1.2" EG="0.69" XTI="2"/>
---
V1 1 0 0.7
D1 1 0 ma
V2 2 0 -30
D2 2 0 mb
I3 0 3 20m
D3 3 0 mc area=3
V4 4 0 -0.05
D4 4 0 md
I5 0 5 1m
D5 5 0 me temp=85
.model ma d is=1e-14
.model mb d is=1e-14 bv=20 ibv=1e-3 rs=100
.model mc d is=2.5n n=1.75 rs=0.6
.model md d is=1e-9
.model me d is=1e-13 n=1.2 eg=0.69 xti=2
X
point 1e-6 'i(v1)=V1.i' 'i(v2)=V2.i' 'v(3)=3' 'i(v4)=V4.i' 'v(5)=5'

both gummel-poon << 'X'
<voltage-source id="VB" p="b" n="0" V="0.65 V"/><voltage-source id="VC" p="c" n="0" V="5 V"/>
<bjt id="Q1" c="c" b="b" e="0" s="0" IS="1e-16" BF="100" VAF="50" IKF="1e-3" ISE="1e-13" NE="1.8" RB="100" IRB="1e-5" RBM="10" RE="1" RC="10"/>
<current-source id="I2" p="0" n="2" I="10 mA"/><bjt id="Q2" c="2" b="2" e="0" s="0" IS="1e-15" BF="80" VAR="12" IKF="5 mA" ISC="1e-12" RB="50" RBM="5" RC="3"/>
<voltage-source id="VR" p="r" n="0" V="-2 V"/><voltage-source id="VS" p="rb" n="0" V="-1.3 V"/>
<bjt id="Q3" c="r" b="rb" e="0" s="0" IS="1e-16" BF="100" BR="4" IKR="0.1 mA" ISC="1e-14" NC="1.7" VAF="60" VAR="20" NR="1.05"/>
<current-source id="I4" p="4" n="0" I="1 mA"/><bjt id="Q4" type="pnp" c="4" b="4" e="0" s="0" IS="1e-16" BF="40" XTB="1.5" temp="-20 degC"/>
<current-source id="I5" p="0" n="5" I="1 mA"/><bjt id="Q5" c="5" b="5" e="0" s="0" IS="1e-16" BF="90" area="4" ISE="1e-14" XTB="1.7" temp="125 degC" tnom="40 degC"/>
---
VB b 0 0.65
VC c 0 5
Q1 c b 0 0 q1
I2 0 2 10m
Q2 2 2 0 0 q2
VR r 0 -2
VS rb 0 -1.3
Q3 r rb 0 0 q3
I4 4 0 1m
Q4 4 4 0 0 q4 temp=-20
I5 0 5 1m
Q5 5 5 0 0 q5 4 temp=125
.model q1 npn is=1e-16 bf=100 vaf=50 ikf=1e-3 ise=1e-13 ne=1.8 rb=100 irb=1e-5 rbm=10 re=1 rc=10
.model q2 npn is=1e-15 bf=80 var=12 ikf=5m isc=1e-12 rb=50 rbm=5 rc=3
.model q3 npn is=1e-16 bf=100 br=4 ikr=0.1m isc=1e-14 nc=1.7 vaf=60 var=20 nr=1.05
.model q4 pnp is=1e-16 bf=40 xtb=1.5
.model q5 npn is=1e-16 bf=90 ise=1e-14 xtb=1.7 tnom=40
X
point 1e-6 'i(vb)=VB.i' 'i(vc)=VC.i' 'v(2)=2' 'i(vr)=VR.i' 'i(vs)=VS.i' 'v(4)=4' 'v(5)=5'

both rectifier << 'X'
<sine-voltage id="V1" p="in" n="0" amplitude="5 V" frequency="1 MHz"/><resistor id="R1" p="in" n="a" R="50 Ohm"/>
<spice-diode id="D1" p="a" n="out" IS="2.52 nA" RS="0.568" N="1.752" TT="20 ns" CJO="4 pF" M="0.4" VJ="0.6" BV="75"/>
<resistor id="R2" p="out" n="0" R="1 kOhm"/>
---
V1 in 0 sin(0 5 1meg)
R1 in a 50
D1 a out md
R2 out 0 1k
.model md d is=2.52n rs=0.568 n=1.752 tt=20n cjo=4p m=0.4 vj=0.6 bv=75
X
wave 1e-3 'v(out)=out' 1n 3u

both amplifier << 'X'
<voltage-source id="VCC" p="vcc" n="0" V="12 V"/><sine-voltage id="V1" p="in" n="0" amplitude="20 mV" frequency="1 MHz"/>
<capacitor id="C1" p="in" n="b" C="100 nF"/><resistor id="R1" p="vcc" n="b" R="82 kOhm"/><resistor id="R2" p="b" n="0" R="18 kOhm"/>
<resistor id="RC" p="vcc" n="c" R="3.3 kOhm"/><resistor id="RE" p="e" n="0" R="1 kOhm"/><capacitor id="CE" p="e" n="0" C="1 uF"/>
<bjt id="Q1" c="c" b="b" e="e" s="0" IS="6.7 fA" BF="416" VAF="74" IKF="67 mA" ISE="6.7 fA" NE="1.26" RB="10" RC="1" CJE="4.5p" CJC="3.6p" MJC="0.31" TF="0.3n" XTF="2" VTF="4 V" ITF="0.4" TR="240n" XCJC="0.6" CJS="2p" MJS="0.4"/>
---
VCC vcc 0 12
V1 in 0 sin(0 20m 1meg)
C1 in b 100n
R1 vcc b 82k
R2 b 0 18k
RC vcc c 3.3k
RE e 0 1k
CE e 0 1u
Q1 c b e 0 q
.model q npn is=6.7f bf=416 vaf=74 ikf=67m ise=6.7f ne=1.26 rb=10 rc=1 cje=4.5p cjc=3.6p mjc=0.31 tf=0.3n xtf=2 vtf=4 itf=0.4 tr=240n xcjc=0.6 cjs=2p mjs=0.4
X
point 1e-6 'v(c)=c' 'v(e)=e' 'v(b)=b'
wave 1e-3 'v(c)=c' 2n 2u

both saturated-switch << 'X'
<voltage-source id="VCC" p="vcc" n="0" V="5 V"/><pulse-voltage id="V1" p="in" n="0" low="0" high="5 V" delay="10 ns" rise="5 ns" fall="5 ns" width="300 ns" period="1 us"/>
<resistor id="RB" p="in" n="b" R="10 kOhm"/><resistor id="RC" p="vcc" n="c" R="1 kOhm"/>
<bjt id="Q1" c="c" b="b" e="0" s="0" IS="1e-15" BF="100" BR="2" CJE="2p" CJC="1p" TF="0.5n" TR="20n" RB="80"/>
---
VCC vcc 0 5
V1 in 0 pulse(0 5 10n 5n 5n 300n 1u)
RB in b 10k
RC vcc c 1k
Q1 c b 0 0 q
.model q npn is=1e-15 bf=100 br=2 cje=2p cjc=1p tf=0.5n tr=20n rb=80
X
wave 1e-3 'v(c)=c' 0.5n 800n

both mos-points << 'X'
<voltage-source id="VG" p="g" n="0" V="2 V"/><voltage-source id="VD" p="d" n="0" V="3 V"/><voltage-source id="VB" p="b" n="0" V="-1.5 V"/>
<mosfet id="M1" d="d" g="g" s="0" b="b" L="2 um" W="10 um" VTO="0.7" KP="60e-6" GAMMA="0.4" PHI="0.65" LAMBDA="0.02" RD="50" RS="50"/>
<voltage-source id="V2" p="d2" n="0" V="0.2 V"/><mosfet id="M2" d="d2" g="g" s="0" b="0" L="3 um" W="20 um" VTO="0.7" KP="60e-6" LD="0.2 um" temp="100 degC" GAMMA="0.3"/>
<voltage-source id="V3" p="d3" n="0" V="-3 V"/><voltage-source id="V4" p="g3" n="0" V="-2.5 V"/>
<mosfet id="M3" type="pmos" d="d3" g="g3" s="0" b="0" L="2 um" W="10 um" VTO="-0.8" TOX="40 nm" U0="250" GAMMA="0.5" LAMBDA="0.03" temp="-30 degC"/>
<voltage-source id="V5" p="d5" n="0" V="-0.4 V"/><mosfet id="M5" d="d5" g="g" s="0" b="0" L="2 um" W="10 um" VTO="0.7" KP="60e-6" GAMMA="0.4" M="2" IS="1e-15"/>
---
VG g 0 2
VD d 0 3
VB b 0 -1.5
M1 d g 0 b m1 l=2u w=10u
V2 d2 0 0.2
M2 d2 g 0 0 m2 l=3u w=20u temp=100
V3 d3 0 -3
V4 g3 0 -2.5
M3 d3 g3 0 0 m3 l=2u w=10u temp=-30
V5 d5 0 -0.4
M5 d5 g 0 0 m5 l=2u w=10u m=2
.model m1 nmos level=1 vto=0.7 kp=60u gamma=0.4 phi=0.65 lambda=0.02 rd=50 rs=50
.model m2 nmos level=1 vto=0.7 kp=60u ld=0.2u gamma=0.3
.model m3 pmos level=1 vto=-0.8 tox=40n u0=250 gamma=0.5 lambda=0.03
.model m5 nmos level=1 vto=0.7 kp=60u gamma=0.4 is=1e-15
X
point 1e-6 'i(vd)=VD.i' 'i(v2)=V2.i' 'i(v3)=V3.i' 'i(v5)=V5.i' 'i(vb)=VB.i'

both cmos-junctions << 'X'
<voltage-source id="VDD" p="vdd" n="0" V="5 V"/><pulse-voltage id="V1" p="in" n="0" low="0" high="5 V" delay="1 ns" rise="1 ns" fall="1 ns" width="8 ns" period="20 ns"/>
<mosfet id="M1" d="out" g="in" s="0" b="0" L="2 um" W="10 um" VTO="0.7" KP="60e-6" GAMMA="0.4" CGSO="3e-10" CGDO="3e-10" CJ="3e-4" CJSW="4e-10" AD="50e-12" AS="50e-12" PD="30 um" PS="30 um"/>
<mosfet id="M2" type="pmos" d="out" g="in" s="vdd" b="vdd" L="2 um" W="25 um" VTO="-0.8" KP="25e-6" GAMMA="0.4" CGSO="3e-10" CGDO="3e-10" CJ="3e-4" AD="120e-12" AS="120e-12"/>
<capacitor id="CL" p="out" n="0" C="0.2 pF"/>
---
VDD vdd 0 5
V1 in 0 pulse(0 5 1n 1n 1n 8n 20n)
M1 out in 0 0 mn l=2u w=10u ad=50p as=50p pd=30u ps=30u
M2 out in vdd vdd mp l=2u w=25u ad=120p as=120p
CL out 0 0.2p
.model mn nmos level=1 vto=0.7 kp=60u gamma=0.4 cgso=0.3n cgdo=0.3n cj=3e-4 cjsw=4e-10
.model mp pmos level=1 vto=-0.8 kp=25u gamma=0.4 cgso=0.3n cgdo=0.3n cj=3e-4
X
wave 1e-3 'v(out)=out' 20p 20n

# The gate's charges differ: Ward and Dutton here, Meyer there.
both cmos-inverter << 'X'
<voltage-source id="VDD" p="vdd" n="0" V="5 V"/><pulse-voltage id="V1" p="in" n="0" low="0" high="5 V" delay="1 ns" rise="1 ns" fall="1 ns" width="8 ns" period="20 ns"/>
<mosfet id="M1" d="out" g="in" s="0" b="0" L="2 um" W="10 um" VTO="0.7" KP="60e-6" GAMMA="0.4" TOX="40 nm" CGSO="3e-10" CGDO="3e-10" CJ="3e-4" CJSW="4e-10" AD="50e-12" AS="50e-12" PD="30 um" PS="30 um"/>
<mosfet id="M2" type="pmos" d="out" g="in" s="vdd" b="vdd" L="2 um" W="25 um" VTO="-0.8" KP="25e-6" GAMMA="0.4" TOX="40 nm" CGSO="3e-10" CGDO="3e-10" CJ="3e-4" AD="120e-12" AS="120e-12"/>
<capacitor id="CL" p="out" n="0" C="1 pF"/>
---
VDD vdd 0 5
V1 in 0 pulse(0 5 1n 1n 1n 8n 20n)
M1 out in 0 0 mn l=2u w=10u ad=50p as=50p pd=30u ps=30u
M2 out in vdd vdd mp l=2u w=25u ad=120p as=120p
CL out 0 1p
.model mn nmos level=1 vto=0.7 kp=60u gamma=0.4 tox=40n cgso=0.3n cgdo=0.3n cj=3e-4 cjsw=4e-10
.model mp pmos level=1 vto=-0.8 kp=25u gamma=0.4 tox=40n cgso=0.3n cgdo=0.3n cj=3e-4
X
wave 1e-2 'v(out)=out' 20p 20n

both jfet << 'X'
<voltage-source id="VG" p="g" n="0" V="-0.7 V"/><voltage-source id="VD" p="d" n="0" V="6 V"/><jfet id="J1" d="d" g="g" s="0" VTO="-2" BETA="1e-3" LAMBDA="0.01" RD="10" RS="20"/>
<voltage-source id="V2" p="d2" n="0" V="0.5 V"/><jfet id="J2" d="d2" g="g" s="0" VTO="-2" BETA="1e-3" LAMBDA="0.01" area="3"/>
<current-source id="I3" p="0" n="g3" I="1 mA"/><jfet id="J3" d="0" g="g3" s="0" temp="85 degC" IS="1e-13"/>
<voltage-source id="V4" p="d4" n="0" V="-4 V"/><voltage-source id="V5" p="g4" n="0" V="0.5 V"/><jfet id="J4" type="pjf" d="d4" g="g4" s="0" VTO="-1.5" BETA="2e-3"/>
---
VG g 0 -0.7
VD d 0 6
J1 d g 0 j1
V2 d2 0 0.5
J2 d2 g 0 j1b area=3
I3 0 g3 1m
J3 0 g3 0 j3 temp=85
V4 d4 0 -4
V5 g4 0 0.5
J4 d4 g4 0 j4
.model j1 njf vto=-2 beta=1m lambda=0.01 rd=10 rs=20
.model j1b njf vto=-2 beta=1m lambda=0.01
.model j3 njf is=1e-13
.model j4 pjf vto=-1.5 beta=2m
X
point 1e-6 'i(vd)=VD.i' 'i(v2)=V2.i' 'v(g3)=g3' 'i(v4)=V4.i' 'i(vg)=VG.i'

both diode-groups << 'X'
<voltage-source id="V1" p="1" n="0" V="0.9 V"/><spice-diode id="D1" p="1" n="0" IKF="1 mA" ISR="1e-11" NR="1.9" VJ="0.7" M="0.4" TRS1="0.003" RS="2" temp="60 degC"/>
<voltage-source id="V2" p="2" n="0" V="-21 V"/><spice-diode id="D2" p="2" n="0" BV="20" IBV="1 mA" area="3" NBV="1.4" TCV="0.02" N="1.2" RS="10" temp="60 degC"/>
<voltage-source id="V3" p="3" n="0" V="0.7 V"/><spice-diode id="D3" p="3" n="0" JSW="1e-13" PJ="4" NS="1.3" area="2" IKF="2 mA"/>
<voltage-source id="V4" p="4" n="0" V="0.75 V"/><spice-diode id="D4" p="4" n="0" JSW="1e-13" PJ="4" IKF="2 mA"/>
<voltage-source id="V5" p="5" n="0" V="-5 V"/><spice-diode id="D5" p="5" n="0" IS="1e-6" IKR="1 uA"/>
<voltage-source id="V6" p="6" n="0" V="0.3 V"/><spice-diode id="D6" p="6" n="0" ISR="1e-9" IS="1e-16" N="1.1"/>
---
V1 1 0 0.9
D1 1 0 d1 temp=60
V2 2 0 -21
D2 2 0 d2 area=3 temp=60
V3 3 0 0.7
D3 3 0 d3 area=2 pj=4
V4 4 0 0.75
D4 4 0 d4 pj=4
V5 5 0 -5
D5 5 0 d5
V6 6 0 0.3
D6 6 0 d6
.model d1 d ikf=1m isr=1e-11 nr=1.9 vj=0.7 m=0.4 trs1=0.003 rs=2
.model d2 d bv=20 ibv=1m nbv=1.4 tcv=0.02 n=1.2 rs=10
.model d3 d jsw=1e-13 ns=1.3 ikf=2m
.model d4 d jsw=1e-13 ikf=2m
.model d5 d is=1e-6 ikr=1u
.model d6 d isr=1e-9 is=1e-16 n=1.1
X
point 1e-6 'i(v1)=V1.i' 'i(v2)=V2.i' 'i(v3)=V3.i' 'i(v4)=V4.i'  'i(v5)=V5.i'  'i(v6)=V6.i' 

both diode-charges << 'X'
<sine-voltage id="V1" p="in" n="0" amplitude="5 V" frequency="1 MHz"/><resistor id="R1" p="in" n="a" R="50 Ohm"/>
<spice-diode id="D1" p="a" n="out" IS="2.52 nA" RS="0.568" N="1.752" TT="20 ns" CJO="4 pF" M="0.4" VJ="0.6" BV="75" TTT1="1e-3" temp="80 degC" IKF="20 mA" CJSW="2p" PJ="2" PHP="0.6" MJSW="0.4"/>
<resistor id="R2" p="out" n="0" R="1 kOhm"/>
---
V1 in 0 sin(0 5 1meg)
R1 in a 50
D1 a out md temp=80 pj=2
R2 out 0 1k
.model md d is=2.52n rs=0.568 n=1.752 tt=20n cjo=4p m=0.4 vj=0.6 bv=75 ttt1=1e-3 ikf=20m cjsw=2p php=0.6 mjsw=0.4
X
wave 1e-3 'v(out)=out' 1n 3u

both diode-grading << 'X'
<sine-voltage id="V1" p="in" n="0" amplitude="5 V" frequency="10 MHz"/><resistor id="R1" p="in" n="a" R="50 Ohm"/>
<spice-diode id="D1" p="a" n="out" IS="2.52 nA" RS="0.568" N="1.752" CJO="40 pF" M="0.4" VJ="0.6" TM1="1e-3" temp="80 degC"/>
<resistor id="R2" p="out" n="0" R="1 kOhm"/>
---
V1 in 0 sin(0 5 10meg)
R1 in a 50
D1 a out md temp=80
R2 out 0 1k
.model md d is=2.52n rs=0.568 n=1.752 cjo=40p m=0.4 vj=0.6 tm1=1e-3
X
wave 1e-3 'v(out)=out' 0.1n 0.3u

both mos-level3 << 'X'
<voltage-source id="VG" p="g" n="0" V="2 V"/><voltage-source id="VD" p="d" n="0" V="3 V"/><voltage-source id="VB" p="b" n="0" V="-1.5 V"/>
<mosfet id="M1" LEVEL="3" d="d" g="g" s="0" b="b" L="2 um" W="10 um" TOX="25 nm" NSUB="1e16" XJ="0.3 um" LD="0.2 um" THETA="0.1" ETA="0.05" KAPPA="0.3" VMAX="1.5e5" DELTA="0.3" NFS="1e11" VTO="0.7"/>
<voltage-source id="V2" p="d2" n="0" V="0.2 V"/><mosfet id="M2" LEVEL="3" d="d2" g="g" s="0" b="b" L="2 um" W="10 um" TOX="25 nm" NSUB="1e16" XJ="0.3 um" LD="0.2 um" THETA="0.1" ETA="0.05" KAPPA="0.3" DELTA="0.3" VTO="0.7" temp="100 degC"/>
<voltage-source id="V3" p="d3" n="0" V="-3 V"/><voltage-source id="V4" p="g3" n="0" V="-2.5 V"/>
<mosfet id="M3" LEVEL="3" type="pmos" d="d3" g="g3" s="0" b="0" L="2 um" W="10 um" TOX="40 nm" U0="250" NSUB="5e15" TPG="-1" NSS="1e10" THETA="0.05" VMAX="1e5" temp="-30 degC"/>
<voltage-source id="V5" p="d5" n="0" V="1 V"/><voltage-source id="V6" p="g5" n="0" V="0.5 V"/>
<mosfet id="M5" LEVEL="3" d="d5" g="g5" s="0" b="0" L="2 um" W="10 um" TOX="25 nm" VTO="0.7" NFS="3e11" NSUB="1e16" M="3"/>
<voltage-source id="V7" p="d7" n="0" V="4 V"/>
<mosfet id="M7" LEVEL="3" d="d7" g="g" s="0" b="0" L="2 um" W="10 um" VTO="0.7" KP="6e-5" GAMMA="0.3" THETA="0.1" NSUB="1e16" RD="100" RS="100"/>
<voltage-source id="V8" p="d8" n="0" V="4 V"/>
<mosfet id="M8" LEVEL="1" d="d8" g="g" s="0" b="b" L="2 um" W="10 um" TOX="25 nm" NSUB="1e16" tnom="50 degC" RSH="20" NRD="2" NRS="3"/>
<voltage-source id="V9" p="d9" n="0" V="-1 V"/>
<mosfet id="M9" LEVEL="3" d="d9" g="g" s="0" b="d9" L="2 um" W="4 um" WD="0.2 um" XL="0.1 um" XW="0.3 um" DELVTO="0.1" TOX="25 nm" NSUB="1e16" XJ="0.3 um" LD="0.2 um" THETA="0.1" ETA="0.05" KAPPA="0.3" VMAX="1.5e5" DELTA="0.3" NFS="1e11" VTO="0.7"/>
---
VG g 0 2
VD d 0 3
VB b 0 -1.5
M1 d g 0 b m1 l=2u w=10u
V2 d2 0 0.2
M2 d2 g 0 b m2 l=2u w=10u temp=100
V3 d3 0 -3
V4 g3 0 -2.5
M3 d3 g3 0 0 m3 l=2u w=10u temp=-30
V5 d5 0 1
V6 g5 0 0.5
M5 d5 g5 0 0 m5 l=2u w=10u m=3
V7 d7 0 4
M7 d7 g 0 0 m7 l=2u w=10u
V8 d8 0 4
M8 d8 g 0 b m8 l=2u w=10u nrd=2 nrs=3
V9 d9 0 -1
M9 d9 g 0 d9 m9 l=2u w=4u
.model m1 nmos level=3 tox=25n nsub=1e16 xj=0.3u ld=0.2u theta=0.1 eta=0.05 kappa=0.3 vmax=1.5e5 delta=0.3 nfs=1e11 vto=0.7
.model m9 nmos level=3 tox=25n nsub=1e16 xj=0.3u ld=0.2u theta=0.1 eta=0.05 kappa=0.3 vmax=1.5e5 delta=0.3 nfs=1e11 vto=0.7 wd=0.2u xl=0.1u xw=0.3u delvto=0.1
.model m2 nmos level=3 tox=25n nsub=1e16 xj=0.3u ld=0.2u theta=0.1 eta=0.05 kappa=0.3 delta=0.3 vto=0.7
.model m3 pmos level=3 tox=40n u0=250 nsub=5e15 tpg=-1 nss=1e10 theta=0.05 vmax=1e5
.model m5 nmos level=3 tox=25n vto=0.7 nfs=3e11 nsub=1e16
.model m7 nmos level=3 vto=0.7 kp=6e-5 gamma=0.3 theta=0.1 nsub=1e16 rd=100 rs=100
.model m8 nmos level=1 tox=25n nsub=1e16 tnom=50 rsh=20
X
point 1e-6 'i(vd)=VD.i' 'i(v2)=V2.i' 'i(v3)=V3.i' 'i(v5)=V5.i' 'i(v7)=V7.i' 'i(v8)=V8.i' 'i(v9)=V9.i' 'i(vb)=VB.i'

both jfet-groups << 'X'
<current-source id="I3" p="0" n="g3" I="1 mA"/><jfet id="J3" d="0" g="g3" s="0" temp="85 degC" IS="1e-13" XTI="2"/>
<voltage-source id="V4" p="d4" n="0" V="3 V"/><voltage-source id="V5" p="g4" n="0" V="-0.5 V"/>
<jfet id="J4" d="d4" g="g4" s="0" TCV="0.002" temp="85 degC"/>
<voltage-source id="V6" p="d6" n="0" V="3 V"/><jfet id="J6" d="d6" g="g4" s="0" VTOTC="0.002" temp="85 degC"/>
<voltage-source id="V7" p="d7" n="0" V="3 V"/><jfet id="J7" d="d7" g="g4" s="0" BEX="-1.5" temp="85 degC"/>
<voltage-source id="V8" p="d8" n="0" V="3 V"/><jfet id="J8" d="d8" g="g4" s="0" BETATCE="-0.5" temp="85 degC"/>
<voltage-source id="V9" p="d9" n="0" V="0.4 V"/><jfet id="J9" d="d9" g="g4" s="0" B="0.6" BETA="1e-3" LAMBDA="0.02"/>
<voltage-source id="V11" p="d11" n="0" V="-3 V"/><jfet id="J11" d="d11" g="g4" s="0" B="0.6" BETA="1e-3" LAMBDA="0.02" RS="100" RD="50" area="2"/>
<current-source id="I10" p="0" n="g10" I="1 mA"/><jfet id="J10" d="0" g="g10" s="0" temp="85 degC" IS="1e-13" EG="0.9"/>
---
i3 0 g3 1m
j3 0 g3 0 j3 temp=85
v4 d4 0 3
v5 g4 0 -0.5
j4 d4 g4 0 j4 temp=85
v6 d6 0 3
j6 d6 g4 0 j6 temp=85
v7 d7 0 3
j7 d7 g4 0 j7 temp=85
v8 d8 0 3
j8 d8 g4 0 j8 temp=85
v9 d9 0 0.4
j9 d9 g4 0 j9
v11 d11 0 -3
j11 d11 g4 0 j11 area=2
i10 0 g10 1m
j10 0 g10 0 j10 temp=85
.model j3 njf is=1e-13 xti=2
.model j4 njf tcv=0.002
.model j6 njf vtotc=0.002
.model j7 njf bex=-1.5
.model j8 njf betatce=-0.5
.model j9 njf b=0.6 beta=1e-3 lambda=0.02
.model j11 njf b=0.6 beta=1e-3 lambda=0.02 rs=100 rd=50
.model j10 njf is=1e-13 eg=0.9
X
point 1e-6 'v(g3)=g3' 'i(v4)=V4.i' 'i(v6)=V6.i' 'i(v7)=V7.i' 'i(v8)=V8.i' 'i(v9)=V9.i' 'i(v11)=V11.i' 'v(g10)=g10'

both cmos-level3 << 'X'
<voltage-source id="VDD" p="vdd" n="0" V="5 V"/><pulse-voltage id="V1" p="in" n="0" low="0" high="5 V" delay="1 ns" rise="1 ns" fall="1 ns" width="8 ns" period="20 ns"/>
<mosfet id="M1" LEVEL="3" d="out" g="in" s="0" b="0" L="1 um" W="10 um" VTO="0.7" TOX="20 nm" NSUB="2e16" XJ="0.2 um" LD="0.1 um" THETA="0.06" ETA="0.03" VMAX="1.6e5" KAPPA="0.4" NFS="2e11" CGSO="3e-10" CGDO="3e-10"/>
<mosfet id="M2" LEVEL="3" type="pmos" d="out" g="in" s="vdd" b="vdd" L="1 um" W="25 um" VTO="-0.8" U0="220" TOX="20 nm" NSUB="2e16" THETA="0.1" VMAX="2e5" KAPPA="3" CGSO="3e-10" CGDO="3e-10"/>
<capacitor id="CL" p="out" n="0" C="1 pF"/>
---
VDD vdd 0 5
V1 in 0 pulse(0 5 1n 1n 1n 8n 20n)
M1 out in 0 0 mn l=1u w=10u
M2 out in vdd vdd mp l=1u w=25u
CL out 0 1p
.model mn nmos level=3 vto=0.7 tox=20n nsub=2e16 xj=0.2u ld=0.1u theta=0.06 eta=0.03 vmax=1.6e5 kappa=0.4 nfs=2e11 cgso=0.3n cgdo=0.3n
.model mp pmos level=3 vto=-0.8 u0=220 tox=20n nsub=2e16 theta=0.1 vmax=2e5 kappa=3 cgso=0.3n cgdo=0.3n
X
wave 1e-2 'v(out)=out' 20p 20n

both lossless-line << 'X'
<pulse-voltage id="V1" p="in" n="0" low="0" high="1 V" delay="2 ns" rise="1 ns" fall="1 ns" width="20 ns" period="100 ns"/>
<resistor id="R1" p="in" n="a" R="30 Ohm"/><transmission-line id="T1" p1="a" n1="0" p2="b" n2="0" Z0="50 Ohm" TD="5 ns"/>
<resistor id="R2" p="b" n="0" R="100 Ohm"/><capacitor id="C2" p="b" n="0" C="10 pF"/>
---
V1 in 0 pulse(0 1 2n 1n 1n 20n 100n)
R1 in a 30
T1 a 0 b 0 z0=50 td=5n
R2 b 0 100
C2 b 0 10p
X
wave 1e-3 'v(b)=b' 0.05n 60n

both rc-line << 'X'
<pulse-voltage id="V1" p="in" n="0" low="0" high="1 V" delay="2 ns" rise="1 ns" fall="1 ns" width="50 ns" period="100 ns"/>
<rc-line id="U1" p1="in" p2="b" ref="0" R="5 kOhm" C="5 pF" N="6"/>
<resistor id="R2" p="b" n="0" R="100 kOhm"/>
---
V1 in 0 pulse(0 1 2n 1n 1n 50n 100n)
U1 in b 0 um l=5u n=6
.model um urc rperl=1e9 cperl=1u k=1.5
R2 b 0 100k
X
wave 1e-3 'v(b)=b' 0.05n 60n

# ngspice's convolution interpolates the source: the difference at its corners falls with the step.
both lossy-line << 'X'
<pulse-voltage id="V1" p="in" n="0" low="0" high="1 V" delay="2 ns" rise="1 ns" fall="1 ns" width="20 ns" period="100 ns"/>
<resistor id="R1" p="in" n="a" R="30 Ohm"/><lossy-line id="T1" p1="a" n1="0" p2="b" n2="0" R="5" L="250e-9" C="100e-12" LEN="2" sections="5"/>
<resistor id="R2" p="b" n="0" R="100 Ohm"/>
---
V1 in 0 pulse(0 1 2n 1n 1n 20n 100n)
R1 in a 30
O1 a 0 b 0 lm
.model lm ltra r=5 l=250n c=100p len=2
R2 b 0 100
X
wave 1.5e-2 'v(b)=b' 0.1n 60n

# Area 1 only: in ngspice 39 the reverse current grows with the square of the area.
both bjt-substrate << 'X'
<voltage-source id="VB" p="b" n="0" V="0.75 V"/><voltage-source id="VC" p="c" n="0" V="2 V"/>
<bjt id="Q1" c="c" b="b" e="0" s="0" IS="1e-15" BF="100" IKF="1 mA" NKF="0.7" VAF="30"/>
<current-source id="I2" p="s2" n="0" I="-1 mA"/><bjt id="Q2" c="0" b="b" e="0" s="s2" IS="1e-15" ISS="1e-14" NS="1.1" temp="60 degC"/>
<current-source id="I3" p="0" n="s3" I="1 mA"/><bjt id="Q3" type="pnp" c="0" b="0" e="0" s="s3" ISS="1e-14"/>
---
VB b 0 0.75
VC c 0 2
Q1 c b 0 0 q1
I2 s2 0 -1m
Q2 0 b 0 s2 q2 temp=60
I3 0 s3 1m
Q3 0 0 0 s3 q3
.model q1 npn is=1e-15 bf=100 ikf=1m nkf=0.7 vaf=30
.model q2 npn is=1e-15 iss=1e-14 ns=1.1
.model q3 pnp iss=1e-14
X
point 1e-6 'i(vb)=VB.i' 'i(vc)=VC.i' 'v(s2)=s2' 'v(s3)=s3'

# Currents of level 2 far from each other: weak inversion, velocity, short and narrow channels, punch-through.
both mos-level-2 << 'X'
<voltage-source id="VG" p="g" n="0" V="2 V"/><voltage-source id="VL" p="l" n="0" V="0.6 V"/><voltage-source id="VD" p="d" n="0" V="5 V"/><voltage-source id="VB" p="b" n="0" V="-1 V"/>
<mosfet id="M1" LEVEL="2" d="d1" g="g" s="0" b="b" L="2 um" W="10 um" VTO="0.8" KP="40e-6" GAMMA="0.5" PHI="0.65" TOX="25 nm" NSUB="1e16" NFS="2e11" XJ="0.4 um" DELTA="1.2" VMAX="4e4" UEXP="0.2"/><resistor id="R1" p="d" n="d1" R="1 kOhm"/>
<mosfet id="M2" LEVEL="2" d="d2" g="l" s="0" b="0" L="2 um" W="10 um" VTO="0.8" KP="40e-6" GAMMA="0.5" TOX="25 nm" NSUB="1e16" NFS="2e11"/><resistor id="R2" p="d" n="d2" R="1 MOhm"/>
<mosfet id="M3" LEVEL="2" d="d3" g="g" s="0" b="0" L="1 um" W="10 um" VTO="0.7" TOX="25 nm" NSUB="1e15" XJ="0.5 um"/><resistor id="R3" p="d" n="d3" R="1 kOhm"/>
<mosfet id="M4" LEVEL="2" type="pmos" d="d4" g="0" s="g" b="d" L="2 um" W="10 um" TOX="25 nm" NSUB="1e16" UEXP="0.1" temp="60 degC"/><resistor id="R4" p="d4" n="0" R="10 kOhm"/>
---
VG g 0 2
VL l 0 0.6
VD d 0 5
VB b 0 -1
M1 d1 g 0 b m1 l=2u w=10u
R1 d d1 1k
M2 d2 l 0 0 m2 l=2u w=10u
R2 d d2 1meg
M3 d3 g 0 0 m3 l=1u w=10u
R3 d d3 1k
M4 d4 0 g d m4 l=2u w=10u temp=60
R4 d4 0 10k
.model m1 nmos level=2 vto=0.8 kp=40u gamma=0.5 phi=0.65 tox=25n nsub=1e16 nfs=2e11 xj=0.4u delta=1.2 vmax=4e4 uexp=0.2
.model m2 nmos level=2 vto=0.8 kp=40u gamma=0.5 tox=25n nsub=1e16 nfs=2e11
.model m3 nmos level=2 vto=0.7 tox=25n nsub=1e15 xj=0.5u
.model m4 pmos level=2 tox=25n nsub=1e16 uexp=0.1
X
point 1e-6 'v(d1)=d1' 'v(d2)=d2' 'v(d3)=d3' 'v(d4)=d4'

# Excess phase as a delay of the collector's current, and quasi-saturation.
both late-transistor << 'X'
<voltage-source id="VC" p="vc" n="0" V="5 V"/><resistor id="RC" p="vc" n="c" R="500 Ohm"/>
<pulse-voltage id="VB" p="in" n="0" low="0.6" high="0.75" delay="1 ns" rise="1 ns" fall="1 ns" width="10 ns" period="40 ns"/>
<bjt id="Q1" c="c" b="in" e="0" IS="1e-16" BF="100" TF="1e-9" PTF="40"/>
---
VC vc 0 5
RC vc c 500
VB in 0 pulse(0.6 0.75 1n 1n 1n 10n 40n)
Q1 c in 0 q1
.model q1 npn is=1e-16 bf=100 tf=1n ptf=40
X
wave 1e-2 'v(c)=c' 10p 20n
