import { textAt } from '../../base/index.ts';
import type { ArgumentPreview } from '../../core/action/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import { actionSpec, type ActionFlags } from '../objects/action-object.ts';
import { newObject, stampedName } from '../objects/new-object.ts';
import { ACTION_SET } from '../objects/types.ts';
import type { ConnectionFlags } from '../flags/connection.ts';
import type { CliDeps, SetPreview } from '../ports.ts';
import { printDocument } from '../print/structured.ts';
import { createNamed } from './create.ts';
import { getNamed, withKube, type Scope } from './open-cluster.ts';
import { refusalLines } from './plan.ts';
import { watchOperations } from './watch.ts';

export type { ActionFlags } from '../objects/action-object.ts';

export interface CreateActionFlags extends ConnectionFlags {
  labels?: Record<string, string>;
  output?: 'json' | 'yaml';
  dryRun?: true;
  wait?: true;
  timeout?: number;
}

export async function createAction(
  deps: CliDeps,
  name: string | undefined,
  flags: ActionFlags & CreateActionFlags,
): Promise<number> {
  return await withKube(deps, flags, async (scope) => {
    const { namespace, labels, from } = flags;
    const parent = from === undefined ? undefined : await getNamed(scope, ACTION_SET, from);
    const spec = actionSpec(flags, namespace, parent);
    const fullName = name ?? stampedName(flags.action ?? 'action', deps.clock.now());
    const set = newObject({
      type: ACTION_SET,
      namespace,
      name: fullName,
      spec,
      ...(labels === undefined ? {} : { labels }),
    });
    if (flags.dryRun === true) return await showPreview(scope, set, flags);
    if (flags.output !== undefined) {
      await printDocument(deps.output, set, flags.output);
      return 0;
    }
    await createNamed(scope, ACTION_SET, set);
    if (flags.wait === true) {
      const timeout = flags.timeout === undefined ? {} : { timeoutMs: flags.timeout };
      return await watchOperations([scope], { target: { kind: 'action', name: fullName }, ...timeout });
    }
    deps.output.note(`Watch it with: ${deps.programName} action watch ${fullName} -n ${namespace}`);
    return 0;
  });
}

async function showPreview({ deps, kube }: Scope, set: KubeObject, flags: CreateActionFlags): Promise<number> {
  const preview = await deps.previewActions(kube, set);
  if (flags.output !== undefined) await printDocument(deps.output, preview, flags.output);
  else for (const line of previewLines(preview, set)) deps.output.line(line);
  return preview.problems.length > 0 ? 1 : 0;
}

export function previewLines({ problems, actions }: SetPreview, set: KubeObject): string[] {
  return [
    ...(problems.length === 0 ? [] : [...refusalLines(problems), '']),
    ...actions.flatMap(({ action, blueprint, phases }) => [
      `Action ${action} of Blueprint ${blueprint}`,
      ...phases.flatMap(({ phase, function: name, arguments: args }) => [
        `  Phase ${phase}: ${name}`,
        ...Object.entries(args).map(([argument, shown]) => `    ${argument}: ${shownArgument(shown)}`),
      ]),
    ]),
    '',
    `Nothing was created: ${textAt(set, 'metadata', 'name') ?? ''} was only tried. Values of Secrets are shown as ***.`,
  ];
}

function shownArgument(shown: ArgumentPreview): string {
  if ('value' in shown) return typeof shown.value === 'string' ? shown.value : JSON.stringify(shown.value);
  if ('waitsFor' in shown) return `(known when it runs: ${shown.waitsFor})`;
  return `✕ ${shown.problems.join('; ')}`;
}
