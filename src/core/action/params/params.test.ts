import { describe, expect, it } from 'vitest';
import { FACTS, PARAMS } from '../../../../test/templates/params.ts';
import { Profile } from '../../../api/index.ts';
import type { JsonObject } from '../../../base/index.ts';
import { Budget, renderTemplate } from '../template/index.ts';
import { profileSecrets, profileValue } from './profile.ts';
import { templateParams, type ActionFacts } from './template-params.ts';

const render = (source: string, params = PARAMS): string =>
  renderTemplate(source, params, { budget: new Budget({ now: 0 }) });
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const secret: JsonObject = {
  metadata: {
    name: 'cred',
    namespace: 'n',
    creationTimestamp: '2026-01-02T03:04:05Z',
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{"data":{"id":"SEVZ"}}', keep: 'x' },
  },
  data: { id: base64('KEYID'), secret: base64('KEYSECRET') },
  type: 'secrets.kanister.io/aws',
};
const profile = (credential: object, more: object = {}) =>
  Profile.parse({ metadata: { name: 'p' }, credential, ...more }).value;
const pair = profile(
  { type: 'keyPair', keyPair: { idField: 'id', secretField: 'secret', secret: { name: 'cred', namespace: 'n' } } },
  {
    location: {
      type: 's3Compliant',
      bucket: 'bk',
      endpoint: 'http://example.invalid',
      prefix: 'pre',
      region: 'us-east-1',
    },
    skipSSLVerify: true,
  },
);
const withProfile = (of: Profile, isMasked = false): string =>
  render(
    '{{ toJson .Profile }}',
    templateParams({ ...FACTS, profile: profileValue(of, { secrets: () => secret, isMasked }) }),
  );

describe('parameters of templates', () => {
  it("write a Profile as real Kanister did, with Go's names", () => {
    expect(withProfile(pair)).toBe(
      '{"Location":{"type":"s3Compliant","bucket":"bk","endpoint":"http://example.invalid","prefix":"pre","region":"us-east-1"},' +
        '"Credential":{"Type":"keyPair","KeyPair":{"ID":"KEYID","Secret":"KEYSECRET"},"Secret":null,"KopiaServerSecret":null},"SkipSSLVerify":true}',
    );
    expect(withProfile(pair, true)).toContain('"KeyPair":{"ID":"KEYID","Secret":"***"}');
  });

  it('write a Secret of a Profile as Kubernetes does', () => {
    const of = profile({ type: 'secret', secret: { name: 'cred', namespace: 'n' } });
    expect(withProfile(of)).toContain(
      '"Secret":{"metadata":{"name":"cred","namespace":"n","creationTimestamp":"2026-01-02T03:04:05Z","annotations":{',
    );
    expect(withProfile(of)).toContain(
      `"data":{"id":"${base64('KEYID')}","secret":"${base64('KEYSECRET')}"},"type":"secrets.kanister.io/aws"}`,
    );
    // Neither the values, nor the copy of them that kubectl leaves in an annotation.
    expect(withProfile(of, true)).not.toMatch(/S0VZ|SEVZ/);
  });

  it("name the Secrets of a Profile, and tell in upstream's words what is not in them", () => {
    expect(profileSecrets(pair)).toEqual([{ namespace: 'n', name: 'cred' }]);
    const kopia = profile({
      type: 'kopia',
      kopiaServerSecret: {
        username: 'u',
        userPassphrase: { key: 'id', secret: { name: 'cred', namespace: 'n' } },
        tlsCert: { key: 'none', secret: { name: 'tls', namespace: 'n' } },
      },
    });
    expect(profileSecrets(kopia).map(({ name }) => name)).toEqual(['cred', 'tls']);
    expect(() => withProfile(kopia)).toThrow("Key 'none' not found in secret 'n:cred'");
    const without = profile({
      type: 'keyPair',
      keyPair: { idField: 'id', secretField: 'none', secret: { name: 'cred' } },
    });
    expect(() => withProfile(without)).toThrow("Value 'none' not found in secret 'n:cred'");
    expect(() => withProfile(profile({ type: 'x' }))).toThrow("CredentialType 'x' not supported");
    expect(() => withProfile(profile({ type: 'keyPair' }))).toThrow('KVSecret cannot be nil');
    expect(() => withProfile(profile({ type: 'secret' }))).toThrow('Secret reference cannot be nil');
    expect(() => withProfile(profile({ type: 'kopia' }))).toThrow('UserPassphrase cannot be nil');
  });

  it('tell nil from empty, and one kind of object from another', () => {
    const { workload: _workload, ...facts }: ActionFacts = {
      ...FACTS,
      options: undefined,
      namespace: 'ns',
      claim: { name: 'c', namespace: 'n' },
    };
    const params = templateParams(facts);
    expect(
      render('{{ toJson .Options }} {{ .Namespace.Name }} {{ .PVC.Name }} {{ if .StatefulSet }}x{{ end }}', params),
    ).toBe('null ns c ');
    expect(render('{{ .DeferPhase.Output }} {{ toJson .Phases.first.Output }} {{ .PodLabels.a }}')).toBe(
      'map[] {"deep":{"x":null},"k":"v","n":3} b',
    );
    expect(render('{{ .Secrets.db.Data.user }}')).toBe('[97 100 109 105 110]');
    expect(render('{{ .Phases.first.Secrets.mine.CreationTimestamp.Year }}')).toBe('1');
  });

  it('hide the object of an action that is a Secret', () => {
    const facts: ActionFacts = {
      ...FACTS,
      object: { kind: 'Secret', data: { k: base64('hidden') }, stringData: { x: 'hidden' } },
    };
    expect(
      render('{{ .Object.data.k | b64dec }} {{ toJson .Object }}', templateParams(facts, { isMasked: true })),
    ).toBe('*** {"data":{"k":"Kioq"},"kind":"Secret"}');
  });
});
