import { messageOf, objectsAt, isAppError, isObject, textAt, type JsonObject } from '../../../base/index.ts';
import { said, type PodDiagnosis } from './diagnosis.ts';

const SECURITY = 'let such pods into the namespace with its label pod-security.kubernetes.io/enforce';

/** Each kind of refusal by the API server's own words; the first that fits. */
const REFUSALS: readonly { fits: RegExp; reason: string; hint: string; outlook: PodDiagnosis['outlook'] }[] = [
  {
    fits: /failed quota: .*must specify/,
    reason: 'QuotaUnspecified',
    hint: 'give the pod the requests and limits that the quota counts, or a LimitRange with defaults',
    outlook: 'hopeless',
  },
  {
    fits: /exceeded quota|status unknown for quota/,
    reason: 'QuotaExceeded',
    hint: 'free some of the quota, or raise it: the pod is created as soon as it fits',
    outlook: 'open',
  },
  { fits: /violates PodSecurity/, reason: 'PodSecurity', hint: SECURITY, outlook: 'hopeless' },
  {
    fits: /admission webhook .* denied the request|ValidatingAdmissionPolicy/,
    reason: 'AdmissionRefused',
    hint: 'ask whoever runs that policy',
    outlook: 'hopeless',
  },
  {
    fits: /serviceaccounts? "?[^ ]*"? not found/,
    reason: 'ServiceAccountMissing',
    hint: 'create the service account',
    outlook: 'hopeless',
  },
  {
    fits: /because it is being terminated/,
    reason: 'NamespaceTerminating',
    hint: 'wait until the namespace is gone, and create it anew',
    outlook: 'hopeless',
  },
  {
    fits: /(?:maximum|minimum) \w+ usage per/,
    reason: 'LimitRange',
    hint: 'ask for what the LimitRange of the namespace allows',
    outlook: 'hopeless',
  },
];

/** Why the API server does not take a pod; undefined for an error that is no refusal, such as one of the network. */
export function diagnoseRefusal(error: unknown, pod: string): PodDiagnosis | undefined {
  if (!isAppError(error, 'forbidden', 'notFound', 'invalid', 'tooLarge')) return undefined;
  const status = error.details?.['status'];
  const why = said((isObject(status) ? textAt(status, 'message') : undefined) ?? messageOf(error));
  const words = `${why} ${isObject(status) ? causesOf(status) : ''}`;
  const known = REFUSALS.find(({ fits }) => fits.test(words));
  const { reason, hint, outlook } = known ?? {
    reason: error.facts.reason,
    hint: isAppError(error, 'forbidden')
      ? 'see what the server’s account may do: kubectl auth can-i create pods --as=…'
      : 'correct the pod, or create what is missing',
    outlook: 'hopeless',
  };
  return { reason, hint, outlook, code: error.code, cause: `the cluster does not take ${pod}: ${why}` };
}

function causesOf(status: JsonObject): string {
  return objectsAt(status, 'details', 'causes')
    .map((cause) => textAt(cause, 'message') ?? '')
    .join(' ');
}
