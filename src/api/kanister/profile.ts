import { flag, integer, mapOf, object, PRESERVE, text } from '../meta/field.ts';
import { AGE, column } from '../meta/columns.ts';
import { defineKind, type ObjectOf } from '../meta/kind.ts';
import { KANISTER } from './group.ts';
import { KanisterReference } from './references.ts';

const secretKey = (doc: string) =>
  object(
    {
      key: text('Key of the Secret.').optional(),
      secret: KanisterReference.describe('The Secret.').optional(),
    },
    doc,
  )
    .meta(PRESERVE)
    .optional();

const Credential = object(
  {
    type: text('keyPair, secret or kopia.').optional(),
    keyPair: object(
      {
        idField: text('Key of the Secret that holds the id.').optional(),
        secretField: text('Key of the Secret that holds the secret.').optional(),
        secret: KanisterReference.describe('The Secret.').optional(),
      },
      'An id and a secret.',
    ).optional(),
    secret: KanisterReference.describe('Secret of one of the types of secrets.kanister.io.').optional(),
    kopiaServerSecret: object(
      {
        username: text('User at the kopia server.').optional(),
        hostname: text('Host name of the user.').optional(),
        userPassphrase: secretKey('Where the passphrase is.'),
        tlsCert: secretKey('Where the certificate of the server is.'),
        connectOptions: mapOf(integer('Value.'), 'Options for connecting.').optional(),
      },
      'Access to a kopia server.',
    )
      .meta(PRESERVE)
      .optional(),
  },
  'How to be let in.',
);

export const Profile = defineKind({
  ...KANISTER,
  kind: 'Profile',
  plural: 'profiles',
  doc: 'Where artifacts are kept, and the credentials for it.',
  fields: {
    location: object(
      {
        type: text(
          's3Compliant, or headway.io/fs for a directory; gcs, azure and kopia are known but not supported.',
        ).optional(),
        bucket: text('Bucket or container.').optional(),
        endpoint: text(
          'Address of the store; the provider knows it if empty. For headway.io/fs the directory.',
        ).optional(),
        prefix: text('Folder inside the bucket.').optional(),
        region: text('Region of the bucket.').optional(),
      },
      'Where artifacts are kept.',
    ).optional(),
    credential: Credential.optional(),
    skipSSLVerify: flag("Whether the store's certificate is not checked.").optional(),
  },
  columns: [column('Type', '.location.type'), column('Bucket', '.location.bucket'), AGE],
});
export type Profile = ObjectOf<typeof Profile>;
