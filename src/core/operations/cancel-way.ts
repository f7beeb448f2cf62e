import type { KubeObject } from '../../api/meta/kube-object.ts';
import { textsAt, valueAt, type JsonObject } from '../../base/index.ts';
import { CANCEL_ANNOTATION } from './annotations.ts';

/** How an operation of a kind is asked to stop. */
export interface CancelWay {
  /** The merge patch of its object that asks for it. */
  readonly patch: JsonObject;
  isAsked(object: KubeObject): boolean;
}

const annotation: JsonObject = { annotations: { [CANCEL_ANNOTATION]: 'true' } };
const hasAnnotation = (object: KubeObject): boolean =>
  textsAt(object, 'metadata', 'annotations')[CANCEL_ANNOTATION] === 'true';

export const BY_ANNOTATION: CancelWay = { patch: { metadata: annotation }, isAsked: hasAnnotation };

/** MTC's own field. */
export const BY_CANCELED_FIELD: CancelWay = {
  patch: { spec: { canceled: true } },
  isAsked: (object) => valueAt(object, 'spec', 'canceled') === true || hasAnnotation(object),
};

/** Velero's data movers know only their own field, and Headway's the annotation: whoever runs it, it hears. */
export const BY_CANCEL_FIELD: CancelWay = {
  patch: { metadata: annotation, spec: { cancel: true } },
  isAsked: (object) => valueAt(object, 'spec', 'cancel') === true || hasAnnotation(object),
};
