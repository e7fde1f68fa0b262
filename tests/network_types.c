/* SPDX-License-Identifier: MIT */
/* What block types themselves refuse: sizes that do not fit, parameters that contradict each other.
 */
#include "network_kit.h"

typedef struct wrong {
    const char *body, *said;
} wrong;

#define CIRCUIT "<ground id='g' p='0'/><voltage-source id='V' p='a' n='0' V='1'/>"
#define MOS CIRCUIT "<mosfet id='M' d='a' g='a' s='0' b='0' "
#define VECTOR "<constant id='c' out='v' value='1 2 3'/>"
#define NUMBER "<constant id='c' out='u' value='1'/>"

static const wrong types[] = {
    /* semiconductors, lines */
    {MOS "type='nmos' L='1 um' LD='1 um'/>", "M (mosfet): no channel is left of L = 1e-06 m"},
    {MOS "LEVEL='3' TOX='0'/>", "LEVEL 3 needs an oxide; give TOX above 0"},
    {MOS "LEVEL='1' TOX='1e-7' NSUB='1e3'/>", "is less than undoped silicon has"},
    {MOS "LEVEL='1' ETA='0.1'/>", "ETA is a parameter of LEVEL 3 and has no effect in LEVEL 1"},
    {MOS "type='hmos'/>", "type = \"hmos\" must be \"nmos\" or \"pmos\""},
    {CIRCUIT "<jfet id='J' d='a' g='0' s='0' VTO='3 V' PB='1 V'/>",
     "J (jfet): VTO = 3 V must lie below PB = 1 V"},
    {CIRCUIT "<transmission-line id='T' p1='a' n1='0' p2='b' n2='0' Z0='50'/>",
     "T (transmission-line): its delay is missing; give TD, or F and NL"},
    {CIRCUIT "<rc-line id='U' p1='a' p2='b' ref='0' R='1' C='1e-9' K='1'/>",
     "U (rc-line): with K = 1 its lumps are missing; give N"},
    /* sizes */
    {NUMBER "<fir-filter id='f' in='u' out='y' period='1' coefficients=''/>", "f (fir-filter)"},
    {NUMBER "<discrete-state-space id='f' in='u' out='y' period='1' A='1' B='1' C='1' x0='1 2'/>",
     "f (discrete-state-space): x0 has 2 values for 1 state"},
    {VECTOR "<state-space id='s' in='v' out='y' A='-1' B='1 2' C='1'/>",
     "s (state-space): B is 1 x 2, a column for each input, but in joins "},
    {VECTOR "<demux id='d' in='v' out='x y' sizes='1 1'/>", "d (demux): sizes add up to 2, but in"},
    {VECTOR "<demux id='d' in='v' out='x y' sizes='3'/>",
     "d (demux): sizes has 1 values for 2 outputs; write one each"},
    {VECTOR "<demux id='d' in='v' out='x y'/>", "d (demux)"},
    {VECTOR "<selector id='s' in='v' out='y' indices='4'/>", "s (selector): "},
    {VECTOR "<reshape id='r' in='v' out='y' rows='2' columns='2'/>",
     "r (reshape): 2 x 2 elements are asked for, but in joins"},
    {VECTOR "<constant id='k' out='w' value='1 2'/><dot id='d' in='v w' out='y'/>", "d (dot): "},
    {NUMBER "<iir-filter id='f' in='u' out='y' period='1' sections='1 0 0 0 0 0'/>",
     "f (iir-filter)"},
    {NUMBER "<iir-filter id='f' in='u' out='y' period='1' poles='x'/>", "f (iir-filter)"},
    /* tables */
    {NUMBER "<lookup id='t' in='u' out='y' points='1 1; 1 2'/>", "t (lookup): all of "},
    {NUMBER "<lookup id='t' in='u' out='y' points='1; 2'/>", "t (lookup): "},
    {NUMBER "<lookup id='t' in='u' out='y' points='0 1; 1 1; 1 2; 1 3; 2 1'/>", "t (lookup): "},
    /* equations */
    {"<block-type name='T'><output name='y'/><equation>y = 1</equation></block-type>"
     "<block-type name='T'><output name='y'/><equation>y = 1</equation></block-type><T id='t'/>",
     "block type 'T' is already defined at line 1"},
    {"<block-type name='T'><output name='y'/><parameter name='a' default='0'/>"
     "<equation>y = 1/a</equation></block-type><T id='t' y='y'/>",
     "t (T): its parameters give a source of inf in output y; change them"},
    {"<block-type name='T'><output name='y'/><parameter name='a' default='0'/><state name='x'/>"
     "<equation>der(x) = x/a</equation><equation>y = x</equation></block-type><T id='t' y='y'/>",
     "t (T): its parameters give the factor "},
    {"<block-type name='T'><output name='y'/><parameter name='a' default='0'/>"
     "<state name='x' start='1/a'/><equation>der(x) = 1</equation><equation>y = x</equation>"
     "</block-type><T id='t' y='y'/>",
     "t (T): its parameters give a start value of inf; change them"},
};

void test_types(void) {
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        net built = net_build(types[k].body);
        const int as_expected = built.status == LINNET_MODEL && net_said(&built, types[k].said);
        CU_ASSERT(as_expected);
        if (!as_expected) {
            printf("\n    status %d of %s\n    wanted: %s", (int)built.status, types[k].body,
                   types[k].said);
            net_print(&built);
        }
        net_free(&built);
    }
}
