/* SPDX-License-Identifier: MIT */
/* The PID loop of bench/pid.xml written by hand: seconds for the given number of RK4 steps. PID
 * with filtered derivative (kp = 20, ki = 5, kd = 2, Tf = 0.01) on the plant 1/(s^2 + 3 s + 1),
 * unit step at the reference. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void rates(const double x[4], double dx[4], double r) {
    double e = r - x[2];
    double d = (e - x[1]) / 0.01;
    double u = 20 * e + 5 * x[0] + 2 * d;
    dx[0] = e;
    dx[1] = d;
    dx[2] = x[3];
    dx[3] = u - 3 * x[3] - x[2];
}

int main(int argc, char **argv) {
    long steps = argc > 1 ? atol(argv[1]) : 1000000;
    double h = argc > 2 ? atof(argv[2]) : 1e-3, x[4] = {0}, r = 1;
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (long n = 0; n < steps; n++) {
        double k1[4], k2[4], k3[4], k4[4], y[4];
        rates(x, k1, r);
        for (int i = 0; i < 4; i++)
            y[i] = x[i] + h / 2 * k1[i];
        rates(y, k2, r);
        for (int i = 0; i < 4; i++)
            y[i] = x[i] + h / 2 * k2[i];
        rates(y, k3, r);
        for (int i = 0; i < 4; i++)
            y[i] = x[i] + h * k3[i];
        rates(y, k4, r);
        for (int i = 0; i < 4; i++)
            x[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    }
    clock_gettime(CLOCK_MONOTONIC, &b);
    printf("%.6f %.15g\n", (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec),
           x[2]);
    return 0;
}
