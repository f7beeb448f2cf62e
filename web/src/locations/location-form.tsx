import { Button, Checkbox, PasswordInput, Radio, TextInput } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { LOCATION } from '../../../src/api/resource-types.ts';
import type { JsonObject } from '../../../src/base/index.ts';
import { fieldErrors, FormError, nameProblem } from '../forms/field-errors.tsx';
import { ClusterField, NameField, useClusterField } from '../forms/object-fields.tsx';
import { useSend } from '../forms/use-send.ts';
import { resource } from '../server/resource.ts';
import { useServices } from '../server/services.ts';
import { EMPTY_LOCATION, locationBody, locationProblem, type LocationDraft } from './location-draft.ts';
import form from '../forms/form.module.css';

const FIELDS = ['metadata.name', 'spec.objectStorage.bucket', 'credentials.accessKeyId', 'credentials.secretAccessKey'];

type TextKey = { [K in keyof LocationDraft]: LocationDraft[K] extends string ? K : never }[keyof LocationDraft];

export function LocationForm({ onDone }: { onDone: () => void }): ReactElement {
  const { client } = useServices();
  const place = useClusterField();
  const [draft, setDraft] = useState<LocationDraft>(EMPTY_LOCATION);
  const { error, isSending, send } = useSend();
  const errors = fieldErrors(error);
  const change = (next: Partial<LocationDraft>): void => {
    setDraft((before) => ({ ...before, ...next }));
  };
  const text = (key: TextKey, label: string, more: { description?: string; at?: string } = {}): ReactElement => (
    <TextInput
      label={label}
      description={more.description}
      value={draft[key]}
      error={errors.get(more.at ?? '')}
      onChange={(event) => {
        change({ [key]: event.currentTarget.value });
      }}
    />
  );
  const create = async (): Promise<void> => {
    const { spec, credentials } = locationBody(draft);
    const object: JsonObject = resource(LOCATION, { namespace: place.namespace, name: draft.name }, spec);
    await client.change('POST', `api/locations${place.query}`, { ...object, ...credentials });
    onDone();
  };
  const isS3 = draft.kind === 's3';
  const isWrong = (nameProblem(draft.name) ?? locationProblem(draft)) !== undefined;
  return (
    <div className={form.form}>
      <ClusterField {...place} />
      <NameField
        name={draft.name}
        error={errors.get('metadata.name')}
        onChange={(name) => {
          change({ name });
        }}
      />
      <Radio.Group
        label="Store"
        value={draft.kind}
        onChange={(value) => {
          change({ kind: value === 'directory' ? 'directory' : 's3' });
        }}
      >
        <div className={form.pair}>
          <Radio value="s3" label="S3 bucket" />
          <Radio value="directory" label="Directory on the server" />
        </div>
      </Radio.Group>
      <div className={form.pair}>
        {text('bucket', isS3 ? 'Bucket' : 'Directory', {
          at: 'spec.objectStorage.bucket',
          ...(isS3 ? {} : { description: 'Below the directory given with --fs-root.' }),
        })}
        {text('prefix', 'Prefix', { description: 'Optional folder inside it.' })}
      </div>
      {isS3 && (
        <>
          <div className={form.pair}>
            {text('region', 'Region', { description: 'Such as eu-central-1.' })}
            {text('url', 'Endpoint', { description: 'Only for stores other than AWS, such as https://minio:9000.' })}
          </div>
          <div className={form.pair}>
            {text('accessKeyId', 'Access key', { at: 'credentials.accessKeyId' })}
            <PasswordInput
              label="Secret key"
              autoComplete="off"
              value={draft.secretAccessKey}
              error={errors.get('credentials.secretAccessKey')}
              onChange={(event) => {
                change({ secretAccessKey: event.currentTarget.value });
              }}
            />
          </div>
          <p className={form.dim}>
            The keys are stored in a Secret beside the location. Leave both empty to use those of the server.
          </p>
        </>
      )}
      <Checkbox
        label="Default location for new backups"
        checked={draft.isDefault}
        onChange={(event) => {
          change({ isDefault: event.currentTarget.checked });
        }}
      />
      <FormError error={error} fields={FIELDS} />
      <div className={form.buttons}>
        <Button variant="default" onClick={onDone}>
          Close
        </Button>
        <Button
          disabled={isSending || isWrong}
          onClick={() => {
            send(create);
          }}
        >
          {isSending ? 'Please wait…' : 'Create location'}
        </Button>
      </div>
    </div>
  );
}
