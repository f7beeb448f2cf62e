import { objectsAt, textAt } from '../../../base/index.ts';
import { nameOf, withValue } from '../fields.ts';
import { changed, type RestoreAction } from './action.ts';

/** Drops the reference to the token that the old cluster created; the new cluster creates its own. */
export const serviceAccountAction: RestoreAction = {
  name: 'velero.io/service-account',
  appliesTo: ['serviceaccounts'],
  execute({ item }) {
    const prefix = `${nameOf(item)}-token-`;
    const secrets = objectsAt(item, 'secrets');
    const at = secrets.findLastIndex((secret) => textAt(secret, 'name')?.startsWith(prefix));
    if (at < 0) return changed(item);
    const kept = secrets.toSpliced(at, 1);
    return changed(withValue(item, ['secrets'], kept.length === 0 ? undefined : kept));
  },
};
