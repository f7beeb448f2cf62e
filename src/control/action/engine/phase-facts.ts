import { CONFIG_MAP, SECRET } from '../../../api/index.ts';
import { messageOf, type Log } from '../../../base/index.ts';
import {
  renderReferences,
  type ActionFacts,
  type ActionStatus,
  type BlueprintAction,
  type BlueprintPhase,
  type PhaseFacts,
  type Rendering,
} from '../../../core/action/index.ts';
import { readAll, type FactsDeps } from '../params/read-facts.ts';

type ReadDeps = Pick<FactsDeps, 'kube' | 'api' | 'signal' | 'namespace'>;

/** What templates of one action see of its phases: the objects that were fetched for each, and what each returned. */
export class ActionPhases {
  readonly #objects = new Map<string, PhaseFacts>();
  #deferObjects: PhaseFacts = {};

  /** Reads the Secrets and ConfigMaps of a phase. Throws `notFound` or `invalid` for those that are not there. */
  async fetch(phase: BlueprintPhase, isDefer: boolean, rendering: Rendering, deps: ReadDeps): Promise<void> {
    const read = await fetchObjects(phase, rendering, deps);
    if (isDefer) this.#deferObjects = read;
    this.#objects.set(phase.name ?? '', read);
  }

  /**
   * After a restart: phases that began in an earlier process had objects too, which later ones and deferPhase may name,
   * whatever became of them. What is gone by now is not missed yet.
   */
  async recall(
    action: BlueprintAction,
    status: ActionStatus,
    deps: ReadDeps & { log: Log; facts: ActionFacts; renderingOf: (facts: ActionFacts) => Rendering },
  ): Promise<void> {
    for (const [index, phase] of (action.phases ?? []).entries()) {
      const { state = 'pending' } = status.phases?.[index] ?? {};
      if (state === 'pending' || this.#objects.has(phase.name ?? '') || phase.objects === undefined) continue;
      try {
        // Their names may come from what phases before them returned.
        await this.fetch(phase, false, deps.renderingOf(this.facts(deps.facts, status)), deps);
      } catch (error) {
        deps.signal.throwIfAborted();
        deps.log.warn('objects of an earlier phase cannot be read', { phase: phase.name, err: messageOf(error) });
      }
    }
  }

  /** The facts of an action with what is known of its phases by now. */
  facts(facts: ActionFacts, { phases = [], deferPhase }: ActionStatus): ActionFacts {
    const begun = phases.filter(({ state }) => state !== 'pending');
    const entries = begun.map(({ name = '', state, output }) => [
      name,
      { ...this.#objects.get(name), ...(state === 'complete' && { output: output ?? {} }) },
    ]);
    const deferOutput = deferPhase?.state === 'complete' ? { output: deferPhase.output ?? {} } : {};
    return {
      ...facts,
      phases: Object.fromEntries(entries) as Record<string, PhaseFacts>,
      deferPhase: { ...this.#deferObjects, ...deferOutput },
    };
  }
}

async function fetchObjects(
  { objects = {} }: BlueprintPhase,
  rendering: Rendering,
  deps: ReadDeps,
): Promise<PhaseFacts> {
  const references = renderReferences(objects, rendering);
  const ofKind = (kind: string): typeof references =>
    Object.fromEntries(Object.entries(references).filter(([, reference]) => reference['kind']?.toLowerCase() === kind));
  const [secrets, configMaps] = await Promise.all([
    readAll(SECRET, ofKind('secret'), deps),
    readAll(CONFIG_MAP, ofKind('configmap'), deps),
  ]);
  return { secrets, configMaps };
}
