import { isObject, textAt, valueAt } from '../../../base/index.ts';
import { mapObjects, withValue } from '../fields.ts';
import { changed, type RestoreAction } from './action.ts';

const SCHEMA = ['schema', 'openAPIV3Schema'];

/** Version v1 refuses the old flag for keeping unknown fields; each schema says it instead. */
export const crdPreserveFieldsAction: RestoreAction = {
  name: 'velero.io/crd-preserve-fields',
  appliesTo: ['customresourcedefinitions.apiextensions.k8s.io'],
  execute({ item }) {
    const isOld = textAt(item, 'apiVersion') !== 'apiextensions.k8s.io/v1';
    if (isOld || valueAt(item, 'spec', 'preserveUnknownFields') !== true) return changed(item);
    const schemas = mapObjects(item, ['spec', 'versions'], (version) =>
      isObject(valueAt(version, ...SCHEMA))
        ? withValue(version, [...SCHEMA, 'x-kubernetes-preserve-unknown-fields'], true)
        : version,
    );
    return changed(withValue(schemas, ['spec', 'preserveUnknownFields'], false));
  },
};
