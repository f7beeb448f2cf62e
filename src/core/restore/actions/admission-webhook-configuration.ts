import { textAt } from '../../../base/index.ts';
import { mapObjects, withValue } from '../fields.ts';
import { changed, type RestoreAction } from './action.ts';

/** Version v1 accepts only these; a value left by an older version would make the server refuse the object. */
const VALID = ['None', 'NoneOnDryRun'];

export const admissionWebhookConfigurationAction: RestoreAction = {
  name: 'velero.io/admission-webhook-configuration',
  appliesTo: [
    'mutatingwebhookconfigurations.admissionregistration.k8s.io',
    'validatingwebhookconfigurations.admissionregistration.k8s.io',
  ],
  execute({ item }) {
    if (textAt(item, 'apiVersion') !== 'admissionregistration.k8s.io/v1') return changed(item);
    return changed(
      mapObjects(item, ['webhooks'], (webhook) =>
        VALID.includes(textAt(webhook, 'sideEffects') ?? '') ? webhook : withValue(webhook, ['sideEffects'], 'None'),
      ),
    );
  },
};
