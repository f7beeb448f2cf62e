/**
 * How containers are asked whether they have started, live and are ready.
 * It must never decide what follows from an answer.
 */
export { probeContainer } from './prober.ts';
export type { ProbeKind } from './probe-state.ts';
export { runProbe, type Probed } from './run-probe.ts';
