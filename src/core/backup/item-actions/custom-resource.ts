import type { PureItemAction } from './item-action.ts';

/** A custom resource cannot be restored without its definition. `definitions`: the names of all CRDs of the cluster. */
export function customResourceAction(definitions: ReadonlySet<string>): PureItemAction {
  return {
    name: 'headway.io/custom-resource',
    // A definition is named after the resource and group it defines.
    appliesTo: (groupResource) => definitions.has(groupResource),
    run: ({ key: { groupResource } }) => ({
      additional: [{ groupResource: 'customresourcedefinitions.apiextensions.k8s.io', name: groupResource }],
    }),
  };
}
