import { textAt, type JsonObject } from '../../../base/index.ts';
import { annotationsOf, nameOf, withoutKeys } from '../fields.ts';
import { changed, skipped, type RestoreAction } from './action.ts';

const TOKEN_TYPE = 'kubernetes.io/service-account-token';
/**
 * As long as the suffixes that Kubernetes generates. Kubernetes uses fewer letters, but people who imitate it do not.
 */
const GENERATED = /^[a-z0-9]{5}$/;

/**
 * A token is only valid in its own cluster: those created by the cluster are left out, those created by users are
 * emptied.
 */
export const secretAction: RestoreAction = {
  name: 'velero.io/secret',
  appliesTo: ['secrets'],
  execute({ item }) {
    if (textAt(item, 'type') !== TOKEN_TYPE) return changed(item);
    if (isGenerated(item)) return skipped(item, 'the cluster creates the tokens of service accounts itself');
    const anonymous = withoutKeys(item, ['metadata', 'annotations'], ['kubernetes.io/service-account.uid']);
    return changed(withoutKeys(anonymous, ['data'], ['token', 'ca.crt']));
  },
};

// Velero reads the cluster's service accounts and leaves out every token whose name begins like one of theirs. The
// secret itself names its account, so no request is needed and a user's own token is not lost.
function isGenerated(secret: JsonObject): boolean {
  const account = annotationsOf(secret)['kubernetes.io/service-account.name'];
  const prefix = `${account ?? ''}-token-`;
  const name = nameOf(secret);
  return account !== undefined && name.startsWith(prefix) && GENERATED.test(name.slice(prefix.length));
}
