import type { Column } from './columns.ts';
import type { AnyKind } from './kind.ts';
import type { StructuralSchema } from './structural.ts';

export interface CustomResourceDefinition {
  apiVersion: 'apiextensions.k8s.io/v1';
  kind: 'CustomResourceDefinition';
  metadata: { name: string };
  spec: {
    group: string;
    names: { kind: string; listKind: string; plural: string; singular: string; shortNames?: string[] };
    scope: 'Namespaced' | 'Cluster';
    versions: {
      name: string;
      served: true;
      storage: true;
      schema: { openAPIV3Schema: StructuralSchema };
      additionalPrinterColumns: Column[];
    }[];
  };
}

/**
 * Without a `status` subresource, like upstream: with one, a POST would drop the status of a synced Backup, and
 * upstream's own status writes would vanish.
 */
export function toCrd(kind: AnyKind): CustomResourceDefinition {
  const { group, version, plural, singular, shortNames } = kind;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: {
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        plural,
        singular,
        ...(shortNames.length > 0 ? { shortNames: [...shortNames] } : {}),
      },
      scope: kind.namespaced ? 'Namespaced' : 'Cluster',
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: asStored(kind.structural()) },
          additionalPrinterColumns: kind.columns.map((column) => ({ ...column })),
        },
      ],
    },
  };
}

/** The API server drops an empty `properties`; with one, `kubectl apply` would find a change every time. */
function asStored(schema: StructuralSchema): StructuralSchema {
  const isEmpty = (value: unknown): boolean => Object.keys(value as object).length === 0;
  const text = JSON.stringify(schema, (key, value: unknown) =>
    key === 'properties' && isEmpty(value) ? undefined : value,
  );
  return JSON.parse(text) as StructuralSchema;
}
