import { listOf, object, text, texts } from '../meta/field.ts';

const Workload = object({
  name: text('Workload as `Kind/name`.'),
  resources: texts('Its pods and others that are not well.').optional(),
});

export const unhealthyNamespaces = listOf(
  object({
    name: text('Name of the namespace.'),
    workloads: listOf(Workload, 'Workloads that are not well.'),
  }),
  'Namespaces in which something is not well.',
).optional();
