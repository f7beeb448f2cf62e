import { flag, int64, object, text } from '../meta/field.ts';
import { AGE, READY, column } from '../meta/columns.ts';
import { defineKind, type ObjectOf } from '../meta/kind.ts';
import { MIGRATION } from './group.ts';
import { migConditions } from './mig-condition.ts';

export const MigHook = defineKind({
  ...MIGRATION,
  kind: 'MigHook',
  plural: 'mighooks',
  doc: 'A job that migrations run at a set point: an image of your own, or an Ansible playbook.',
  fields: {
    spec: object(
      {
        custom: flag('Whether the image brings its own program instead of running a playbook.'),
        image: text('Image to run.'),
        playbook: text('Ansible playbook in base64; only without custom.').optional(),
        targetCluster: text('source or destination.'),
        activeDeadlineSeconds: int64('How long the job may run.').optional(),
      },
      'What to run, and where.',
    ),
    status: object(
      {
        conditions: migConditions,
        observedGeneration: int64('Generation of the object that was looked at.').optional(),
      },
      'Whether the hook can be used.',
    ),
  },
  columns: [READY, column('Image', '.spec.image'), column('TargetCluster', '.spec.targetCluster'), AGE],
});
export type MigHook = ObjectOf<typeof MigHook>;
