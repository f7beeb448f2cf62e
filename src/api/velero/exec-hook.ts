import { z } from 'zod';
import { duration, flag, freeForm, listOf, nullable, object, oneOf, text, texts } from '../meta/field.ts';
import { LabelSelector } from '../meta/label-selector.ts';

const command = () => z.array(z.string()).min(1).describe('Program and arguments; no shell is put around it.');
const onError = () =>
  oneOf(['Continue', 'Fail'], 'Whether a failing hook fails the pod it ran in; Continue if empty.').optional();
const container = () => text('Container to run in; the first one of the pod if empty.').optional();

const BackupExecHook = object({
  exec: object(
    {
      command: command(),
      container: container(),
      onError: onError(),
      timeout: duration('How long to wait for the command; 30s if empty.').optional(),
    },
    'A command in a container.',
  ),
});

/** Which pods a hook applies to; the same in backup and restore. */
const selection = {
  name: text('Name of the hook, for logs and errors.'),
  includedNamespaces: nullable(texts('Namespaces whose pods get the hook; all if empty.')),
  excludedNamespaces: nullable(texts('Namespaces whose pods do not get the hook.')),
  includedResources: nullable(texts('Kinds that get the hook; only pods make sense.')),
  excludedResources: nullable(texts('Kinds that do not get the hook.')),
  labelSelector: nullable(LabelSelector.describe('Only pods with these labels get the hook.')),
};

export const BackupHooks = object(
  {
    resources: nullable(
      listOf(
        object({
          ...selection,
          pre: listOf(BackupExecHook, 'Run before the pod is backed up, such as freezing a file system.').optional(),
          post: listOf(BackupExecHook, 'Run after the pod and what belongs to it was backed up.').optional(),
        }),
        'Hooks and the pods they are for.',
      ),
    ),
  },
  'Commands to run in pods before and after they are backed up.',
);

const RestoreHook = object({
  exec: object(
    {
      command: command(),
      container: container(),
      onError: onError(),
      execTimeout: duration('How long to wait for the command; 30s if empty.').optional(),
      waitTimeout: duration('How long to wait for the container to be there; for ever if empty.').optional(),
      waitForReady: nullable(flag('Whether to wait until the container is ready, not only running.')),
    },
    'A command to run in a container once it is up.',
  ).optional(),
  init: object(
    {
      initContainers: listOf(
        freeForm('A container of the core API.'),
        'Init containers put in front of the pod as it is restored.',
      ).optional(),
      timeout: duration('How long to wait for them; for ever if empty.').optional(),
    },
    'Init containers to add.',
  ).optional(),
});

export const RestoreHooks = object(
  {
    resources: listOf(
      object({
        ...selection,
        postHooks: listOf(RestoreHook, 'What to run once the pod is restored.').optional(),
      }),
      'Hooks and the pods they are for.',
    ).optional(),
  },
  'Commands and init containers to run in restored pods.',
);
