import { textAt, type JsonObject } from '../../../base/index.ts';
import { podText, said, type PodDiagnosis, type Situation } from './diagnosis.ts';
import { newestEvent } from './events.ts';

const CANNOT_BE: readonly string[] = ['InvalidImageName', 'ErrImageNeverPull'];
const MAY_BE: readonly string[] = [
  'ErrImagePull',
  'ImagePullBackOff',
  'RegistryUnavailable',
  'ImageInspectError',
  'SignatureValidationFailed',
];

/** The registry could not be asked, or not now: it may answer later. */
const UNANSWERED =
  /dial tcp|no such host|i\/o timeout|connection (?:refused|reset)|handshake timeout|deadline exceeded|server misbehaving|\bEOF\b|too many requests|toomanyrequests|\b(?:429|50[0-4])\b|RegistryUnavailable/i;
/** The registry has answered, and says no. */
const REFUSED =
  /not found|manifest unknown|does not exist|access denied|unauthorized|authentication|authorization|\bdenied\b|forbidden|\b40[134]\b|no match for platform|certificate|x509|SignatureValidationFailed/i;

/** A container that waits for its image; undefined if it waits for something else. */
export function diagnoseImage({ pod, events }: Situation, container: JsonObject): PodDiagnosis | undefined {
  const reason = textAt(container, 'state', 'waiting', 'reason') ?? '';
  const isInvalid = CANNOT_BE.includes(reason);
  if (!isInvalid && !MAY_BE.includes(reason)) return undefined;
  // Older kubelets say why in an event only.
  const event = textAt(newestEvent(events, ['Failed', 'InspectFailed']), 'message') ?? '';
  const message = textAt(container, 'state', 'waiting', 'message') ?? '';
  const why = said([message, event].find((text) => REFUSED.test(text) || UNANSWERED.test(text)) ?? (message || event));
  const image = textAt(container, 'image') ?? '';
  const isHopeless = isInvalid || (REFUSED.test(why) && !UNANSWERED.test(why));
  return {
    reason,
    cause: `${podText(pod)}: image "${said(image)}" cannot be had (${reason})${why === '' ? '' : `: ${why}`}`,
    hint: isHopeless
      ? 'check the name of the image, and the pull secret of the service account'
      : 'check that the nodes reach the registry: the pod starts when the image is there',
    outlook: isHopeless ? 'hopeless' : 'open',
  };
}
