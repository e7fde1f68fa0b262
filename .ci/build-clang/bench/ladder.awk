# An RC ladder of n sections behind a sine source, as a Linnet model, or with -v spice=1 as an ngspice deck.
#   awk -v n=10000 -v steps=5000 -f bench/ladder.awk > ladder.xml
BEGIN {
    if (!n) n = 10
    if (!steps) steps = 100
    h = 1e-6
    if (spice) {
        print "RC ladder of " n " sections"
        print "V1 n0 0 SIN(0 1 1000)"
        for (i = 1; i <= n; i++) printf "R%d n%d n%d 100\nC%d n%d 0 1e-9 ic=0\n", i, i - 1, i, i, i
        print ".options reltol=1 abstol=1 vntol=1 chgtol=1 trtol=1000 method=trap"
        printf ".tran %g %g 0 %g uic\n.save v(n%d)\n.end\n", h, steps * h, h, n
        exit
    }
    printf "<model name=\"RC ladder of %d sections\" xmlns=\"urn:linnet:model:1\">\n", n
    print "  <ground id=\"gnd\" p=\"0\"/>"
    print "  <sine-voltage id=\"V1\" p=\"n0\" n=\"0\" amplitude=\"1 V\" frequency=\"1 kHz\"/>"
    for (i = 1; i <= n; i++)
        printf "  <resistor id=\"R%d\" p=\"n%d\" n=\"n%d\" R=\"100 Ohm\"/>\n" \
               "  <capacitor id=\"C%d\" p=\"n%d\" n=\"0\" C=\"1 nF\"/>\n", i, i - 1, i, i, i
    printf "  <simulation duration=\"%d us\" step=\"1 us\" method=\"crank-nicolson\"/>\n", steps
    printf "  <record signals=\"n%d\"/>\n</model>\n", n
}
