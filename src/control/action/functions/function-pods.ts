import { ActionSet } from '../../../api/index.ts';
import { isAppError, type AppError, type JsonObject } from '../../../base/index.ts';
import {
  MAIN_CONTAINER,
  mergedTexts,
  mergeOverrides,
  overridden,
  podName,
  type ActionFacts,
  type PhaseRef,
} from '../../../core/action/index.ts';
import type { KubeObject, LogLine } from '../../../edge/kube/index.ts';
import { stopOf, type Wait } from '../../operation/index.ts';
import type { PodEnd, PodRequest, PodRunner } from '../../pods/index.ts';
import type { ArgumentReader } from './argument-reader.ts';

/** A pod that a function needs. */
export interface FunctionPod {
  /** Its name up to what is particular to it: `kanister-job`. */
  prefix: string;
  namespace: string;
  /** Before overrides. */
  spec: JsonObject;
  /** Whose log and exit code count; `container` unless given. */
  container?: string;
  /** Where a phase has several pods: which of them. */
  part?: string;
  annotations?: Readonly<Record<string, string>>;
  /** The ActionSet's podOverride as it fits this pod, where it is not simply merged. */
  adaptOverride?: (ofActionSet: JsonObject | undefined) => JsonObject | undefined;
}

/** What happens to it. */
export interface PodListener {
  onStarted?: () => void;
  /** Every line of its log once and in order; from the beginning after a restart. */
  onLine?: (line: LogLine) => void | Promise<void>;
  /** Its program has ended; it is removed when the promise is kept. The place to call `executed`. */
  onEnded?: (end: PodEnd) => Promise<void>;
}

export interface FunctionPodsOptions {
  runner: PodRunner;
  actionSet: KubeObject;
  ref: PhaseRef;
  attempt: number;
  args: ArgumentReader;
  /** Whether the function takes podOverride and its like. */
  takesOverrides: boolean;
  facts: Pick<ActionFacts, 'podOverride' | 'podLabels' | 'podAnnotations'>;
  timeoutMs: number | undefined;
  lasting: AbortSignal;
  wait: (cause: AppError, kind: 'away' | 'slow') => Wait;
}

/** Upstream gives them none; a second is enough for a program that listens. */
export const JOB_GRACE_SECONDS = 1;
/** Without a limit a pod has as long as a timer can count. */
const NO_LIMIT_MS = 20 * 24 * 3600_000;
/** A marker may be this long, and stand behind other text. */
const MAX_LINE_BYTES = 1024 * 1024;
/** Five letters are few: another pod may have the name. */
const MAX_SALT = 4;

/** The pods of one phase run: named so that they are found again, and overridden by Blueprint and ActionSet. */
export class FunctionPods {
  readonly #options: FunctionPodsOptions;

  constructor(options: FunctionPodsOptions) {
    this.#options = options;
  }

  /** Runs it to its end and removes it. An exit code other than 0 is a result; whatever else ended it is thrown. */
  async run(pod: FunctionPod, listener: PodListener, signal: AbortSignal): Promise<PodEnd> {
    const { runner, lasting, wait } = this.#options;
    for (let salt = 0; ; salt += 1) {
      try {
        return await runner.run(this.#request(pod, salt), {
          ...listener,
          ...{ signal, lasting, maxLineBytes: MAX_LINE_BYTES },
          isCanceled: (aborted) => stopOf(aborted) !== undefined || isAppError(aborted.reason, 'timeout', 'invalid'),
          onWaiting: (cause) => wait(cause, 'slow'),
        });
      } catch (error) {
        if (!isAppError(error, 'alreadyExists') || salt >= MAX_SALT) throw error;
      }
    }
  }

  /** Removes what an earlier process left of it, under whichever name; a pod that is not ours is left alone. */
  async remove(pod: FunctionPod, signal: AbortSignal): Promise<void> {
    for (let salt = 0; salt <= MAX_SALT; salt += 1) {
      await this.#options.runner.remove(this.#request(pod, salt), signal);
    }
  }

  #request(pod: FunctionPod, salt: number): PodRequest {
    const { actionSet, ref, attempt, timeoutMs, facts } = this.#options;
    const { prefix, namespace, part, container = MAIN_CONTAINER } = pod;
    const uid = actionSet.metadata.uid ?? '';
    const annotations = mergedTexts(facts.podAnnotations, this.#given('podAnnotations'));
    const all = { ...pod.annotations, ...annotations };
    return {
      name: podName({ prefix, uid, ref, attempt, part, salt }),
      ...{ namespace, purpose: 'action', marks: 'kanister', container },
      owner: { type: ActionSet, object: actionSet },
      labels: mergedTexts(facts.podLabels, this.#given('podLabels')),
      ...(Object.keys(all).length > 0 && { annotations: all }),
      spec: this.#spec(pod, container),
      deadlineMs: timeoutMs ?? NO_LIMIT_MS,
      graceSeconds: JOB_GRACE_SECONDS,
    };
  }

  #spec({ spec, adaptOverride = (same) => same }: FunctionPod, container: string): JsonObject {
    const { args, facts, takesOverrides } = this.#options;
    const ofBlueprint = takesOverrides ? args.podSpec('podOverride') : undefined;
    const override = mergeOverrides(ofBlueprint, adaptOverride(facts.podOverride));
    // By its own name, so that its token is what its service account says and not what a mover would get: none.
    return { serviceAccountName: 'default', ...overridden(spec, override, container) };
  }

  #given(name: 'podLabels' | 'podAnnotations'): Record<string, string> | undefined {
    return this.#options.takesOverrides ? this.#options.args.textMap(name) : undefined;
  }
}
