import { messageOf } from '../../../base/index.ts';
import { quantityValue } from '../../builtins/index.ts';
import { probeContainer, type ProbeKind } from '../probes/index.ts';
import type { ContainerRun } from './container-run.ts';
import type { WorkerDeps } from './ports.ts';
import type { Teller } from './teller.ts';

interface Supervision {
  deps: Pick<WorkerDeps, 'usage' | 'node' | 'clock' | 'log'>;
  tell: Teller;
  /** How long the pod gives a container to end. */
  graceMs: () => number;
  /** Whether the container is ready, or has started. */
  onVerdict: (kind: 'readiness' | 'startup', isContent: boolean) => void;
}

const MAX_PROCESSES = 2000;
/** Of the machine, for a container without a limit. */
const MEMORY_SHARE = 0.5;
const HOOK_WITHIN_MS = 600_000;

/** Keeps an eye on a container while it runs: how much it uses, how it feels, and its hook after the start. */
export function supervise(run: ContainerRun, supervision: Supervision): void {
  watchUsage(run, supervision);
  probe(run, supervision);
  void afterStart(run, supervision);
}

function watchUsage(run: ContainerRun, { deps, tell }: Supervision): void {
  const { container } = run;
  const limit = quantityValue(container.resources?.limits?.['memory'] ?? '');
  const stop = deps.usage.add({
    process: run.process,
    limits: { memoryBytes: limit ?? deps.node.memoryBytes * MEMORY_SHARE, processes: MAX_PROCESSES },
    onExcess: (excess) => {
      run.exceed(excess);
      const reason = excess.kind === 'memory' ? 'OOMKilled' : 'TooManyProcesses';
      tell.warn(container, reason, `Container ${container.name} was killed: ${excess.message}`);
    },
  });
  void run.ended.then(stop);
}

function probe(run: ContainerRun, { deps, tell, graceMs, onVerdict }: Supervision): void {
  const { container, podIP } = run;
  const ask = (command: readonly string[]) => run.process.run({ command, hasInput: false, isTerminal: false });
  const hear = (kind: ProbeKind, isContent: boolean): void => {
    if (run.signal.aborted) return;
    if (kind === 'readiness' || (kind === 'startup' && isContent)) onVerdict(kind, isContent);
    else if (!isContent) {
      const asked = kind === 'liveness' ? container.livenessProbe : container.startupProbe;
      const seconds = asked?.terminationGracePeriodSeconds;
      tell.normal(container, 'Killing', `Container ${container.name} failed ${kind} probe, will be restarted`);
      run.stop(seconds === undefined ? graceMs() : seconds * 1000, () => undefined);
    }
  };
  const listener = {
    onFailure: (_kind: ProbeKind, message: string) => {
      tell.warn(container, 'Unhealthy', message);
    },
    onVerdict: hear,
  };
  const probing = probeContainer({ container, podIP, run: ask }, listener, { clock: deps.clock, signal: run.signal });
  probing.catch((error: unknown) => {
    deps.log.error('probing a container failed', { container: container.name, err: messageOf(error) });
  });
}

/** A hook that fails when its container has just begun ends it. */
async function afterStart(run: ContainerRun, { deps, tell, graceMs }: Supervision): Promise<void> {
  const { container } = run;
  const { postStart } = container.lifecycle ?? {};
  if (postStart === undefined) return;
  const failure = await run.runHandler(postStart, HOOK_WITHIN_MS);
  if (failure === undefined) return;
  tell.warn(container, 'FailedPostStartHook', 'PostStartHook failed');
  deps.log.debug('a hook of a container failed', { container: container.name, failure });
  run.stop(graceMs(), () => undefined);
}
