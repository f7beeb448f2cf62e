import { labelsOf } from '../fields.ts';
import { changed, skipped, type RestoreAction } from './action.ts';

const MANAGED = 'kube-aggregator.kubernetes.io/automanaged';

/** The server itself registers its own API services and those of custom resources. */
export const apiServiceAction: RestoreAction = {
  name: 'velero.io/apiservice',
  appliesTo: ['apiservices.apiregistration.k8s.io'],
  execute({ item }) {
    return Object.hasOwn(labelsOf(item), MANAGED) ? skipped(item, 'the API server registers it itself') : changed(item);
  },
};
