import { declare, optional, required, type FunctionDeclaration } from './declaration.ts';

const waitArguments = {
  timeout: required('text', 'How long to wait, such as 5m.'),
  conditions: required('conditions', 'anyOf and allOf: conditions on objects, as templates that print true.'),
};
const REFERENCE = ['apiVersion', 'group', 'resource', 'kind', 'name', 'namespace'];

/** Functions that ask or change the cluster. */
export const CLUSTER: readonly FunctionDeclaration[] = [
  declare(
    'ScaleWorkload',
    'Scales a Deployment, StatefulSet or DeploymentConfig, and waits until it is so.',
    {
      // Upstream takes a number or its digits, and tells what is neither in words of its own.
      replicas: required('text', 'How many pods.'),
      namespace: optional('text', 'Namespace of the workload; that of the object unless given.'),
      name: optional('text', 'Name of the workload; that of the object unless given.'),
      kind: optional('text', 'Kind of the workload; that of the object unless given.'),
      waitForReady: optional('flag', 'Whether to wait until all pods are ready; yes unless given.'),
    },
    { outputs: ['originalReplicaCount'], progress: 'once' },
  ),
  declare(
    'KubeOps',
    'Creates, patches or deletes an object.',
    {
      operation: required('text', 'create, patch or delete.'),
      spec: optional('text', 'The object or the patch, as YAML.'),
      namespace: optional('text', 'Namespace of the object; default unless given.'),
      objectReference: optional('objectReference', 'What to patch or delete.'),
    },
    { outputs: REFERENCE },
  ),
  declare('Wait', 'Waits for conditions on objects, with JSONPath in them.', waitArguments, {
    rendersArguments: false,
  }),
  declare('WaitV2', 'Waits for conditions on objects, as templates on the object.', waitArguments, {
    rendersArguments: false,
  }),
  declare(
    'LocationDelete',
    'Deletes objects from the location of the Profile.',
    { artifact: required('text', 'Path whose objects are deleted.') },
    { needsProfile: true },
  ),
];
