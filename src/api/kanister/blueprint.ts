import { duration, freeForm, integer, listOf, mapOf, object, text, texts } from '../meta/field.ts';
import { AGE } from '../meta/columns.ts';
import { defineKind, type ObjectOf } from '../meta/kind.ts';
import { KANISTER } from './group.ts';
import { KanisterReference, artifacts } from './references.ts';

const BlueprintPhase = object({
  func: text('Function to run, such as KubeTask.').optional(),
  name: text('Name of the phase, unique in the action.').optional(),
  objects: mapOf(KanisterReference, 'Secrets and ConfigMaps to fetch, `.Phases.NAME.Secrets` in templates.').optional(),
  args: freeForm('Arguments of the function; templates.').optional(),
  timeout: duration('How long one attempt may take, such as 30m; without limit if absent.').optional(),
  retries: integer('How often the phase is tried again after it failed.').min(0).max(100).optional(),
});

const BlueprintAction = object({
  name: text('Name of the action; its key counts.').optional(),
  kind: text('Kind of object the action is for.').optional(),
  configMapNames: texts('ConfigMaps the ActionSet has to name.').optional(),
  secretNames: texts('Secrets the ActionSet has to name.').optional(),
  inputArtifactNames: texts('Artifacts the ActionSet has to bring.').optional(),
  outputArtifacts: artifacts('Artifacts the action leaves behind; templates.').optional(),
  phases: listOf(BlueprintPhase, 'Phases in the order in which they run.').optional(),
  deferPhase: BlueprintPhase.describe('Phase that runs last, whatever became of the others.').optional(),
});

export const Blueprint = defineKind({
  ...KANISTER,
  kind: 'Blueprint',
  plural: 'blueprints',
  doc: 'Says how an application is backed up, restored and cleaned up, as actions made of phases.',
  fields: { actions: mapOf(BlueprintAction, 'Actions by name.').optional() },
  columns: [AGE],
});
export type Blueprint = ObjectOf<typeof Blueprint>;
