import { messageOf, type Clock } from '../../../base/index.ts';
import type { Probe } from '../../controllers/kinds/index.ts';
import { UNPROBED, withAnswer, type ProbeKind } from './probe-state.ts';
import { runProbe, type Probed } from './run-probe.ts';

export interface ProbeListener {
  /** The verdict has changed. */
  onVerdict(kind: ProbeKind, isContent: boolean): void;
  onFailure(kind: ProbeKind, message: string): void;
}

const NAMES: Readonly<Record<ProbeKind, string>> = { startup: 'Startup', liveness: 'Liveness', readiness: 'Readiness' };

/** Asks a container in its rhythm until it ends: first whether it has started, and only then all else. */
export async function probeContainer(
  probed: Probed,
  listener: ProbeListener,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<void> {
  const { startupProbe, livenessProbe, readinessProbe } = probed.container;
  const ask = (kind: ProbeKind, probe: Probe, isEnough: (isContent: boolean) => boolean): Promise<void> =>
    repeat(probed, { kind, probe, isEnough, listener }, { clock, signal });
  try {
    if (startupProbe !== undefined) await ask('startup', startupProbe, () => true);
    if (signal.aborted) return;
    await Promise.all([
      livenessProbe && ask('liveness', livenessProbe, (isContent) => !isContent),
      readinessProbe && ask('readiness', readinessProbe, () => false),
    ]);
  } catch (error) {
    // The end of the container is the end of its probes.
    if (!signal.aborted) throw error;
  }
}

interface Rhythm {
  kind: ProbeKind;
  probe: Probe;
  /** A verdict after which nobody asks any more. */
  isEnough: (isContent: boolean) => boolean;
  listener: ProbeListener;
}

async function repeat(
  probed: Probed,
  { kind, probe, isEnough, listener }: Rhythm,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<void> {
  const { initialDelaySeconds = 0, periodSeconds = 10, timeoutSeconds = 1 } = probe;
  let state = UNPROBED;
  await clock.sleep(initialDelaySeconds * 1000, signal);
  for (;;) {
    const failure = await answer(probed, probe, timeoutSeconds * 1000);
    signal.throwIfAborted();
    const before = state.isContent;
    state = withAnswer(state, failure === undefined, probe);
    if (failure !== undefined) listener.onFailure(kind, `${NAMES[kind]} probe failed: ${failure}`);
    if (state.isContent !== undefined && state.isContent !== before) listener.onVerdict(kind, state.isContent);
    if (state.isContent !== undefined && isEnough(state.isContent)) return;
    await clock.sleep(periodSeconds * 1000, signal);
  }
}

async function answer(probed: Probed, probe: Probe, timeoutMs: number): Promise<string | undefined> {
  try {
    return await runProbe(probed, probe, timeoutMs);
  } catch (error) {
    return messageOf(error);
  }
}
