import { expect, it } from 'vitest';
import type { JsonObject } from '../../base/index.ts';
import { maskSecrets } from './mask.ts';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const secret = (fields: JsonObject): JsonObject => ({ apiVersion: 'v1', kind: 'Secret', ...fields });

it('hides values and shows keys, also in the copy that kubectl keeps', () => {
  const copy = JSON.stringify(secret({ data: { password: 'c2VjcmV0' }, stringData: { plain: 'secret' } }));
  const { object, isMasked } = maskSecrets(
    secret({
      metadata: { name: 'login', annotations: { [LAST_APPLIED]: copy, other: 'stays' } },
      data: { password: 'c2VjcmV0' },
      stringData: { plain: 'secret' },
    }),
  );
  expect(isMasked).toBe(true);
  expect(object).toMatchObject({
    metadata: { annotations: { other: 'stays' } },
    data: { password: '********' },
    stringData: { plain: '********' },
  });
  expect(JSON.stringify(object)).not.toMatch(/c2VjcmV0|secret"/);
});

it.each([
  secret({ data: 'c2VjcmV0' }),
  secret({ metadata: { annotations: { [LAST_APPLIED]: '{"data":{"a":"c2VjcmV0"' } } }),
  secret({ metadata: { annotations: { [LAST_APPLIED]: ['c2VjcmV0'] } } }),
  { kind: 'SecretList', items: [secret({ data: { a: 'c2VjcmV0' } })] },
] as JsonObject[])('hides what it cannot read: %j', (object) => {
  expect(JSON.stringify(maskSecrets(object).object)).not.toContain('c2VjcmV0');
});

it('leaves everything else as it is', () => {
  const object = { kind: 'ConfigMap', data: { a: 'b' } };
  expect(maskSecrets(object)).toEqual({ object, isMasked: false });
});
