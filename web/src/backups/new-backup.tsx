import { Button, Modal, NativeSelect, TextInput } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { formatCount, toAppError, type AppError, type JsonObject } from '../../../src/base/index.ts';
import type { BackupPlanAnswer, ChangedAnswer } from '../../../src/core/operations/index.ts';
import { goTo, usePlace } from '../frame/place.ts';
import { useSession } from '../frame/session.ts';
import { namesIn, resource, timedName } from '../server/resource.ts';
import { useServices } from '../server/services.ts';
import { ErrorNotice, sentence } from '../show/notice.tsx';
import { plural } from '../show/progress-text.ts';
import styles from './backups.module.css';

/** Asks for as little as possible, and shows what would be taken before it begins. */
export function NewBackup({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactElement {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Back up" size="lg">
      <Form onClose={onClose} />
    </Modal>
  );
}

function Form({ onClose }: { onClose: () => void }): ReactElement {
  const { session } = useSession();
  const place = usePlace();
  const [cluster, setCluster] = useState(place.query['cluster'] ?? session.clusters[0]?.name ?? '');
  const [name, setName] = useState(() => timedName('backup', new Date()));
  const [namespaces, setNamespaces] = useState('');
  return (
    <div className={styles.form}>
      {session.clusters.length > 1 && (
        <NativeSelect
          label="Cluster"
          value={cluster}
          data={session.clusters.map((each) => each.name)}
          onChange={(event) => {
            setCluster(event.currentTarget.value);
          }}
        />
      )}
      <TextInput
        label="Name"
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value);
        }}
      />
      <TextInput
        label="Namespaces"
        description="Names with commas between them; empty takes the whole cluster."
        value={namespaces}
        onChange={(event) => {
          setNamespaces(event.currentTarget.value);
        }}
      />
      <Send cluster={cluster} name={name} namespaces={namesIn(namespaces)} onClose={onClose} />
    </div>
  );
}

interface SendProps {
  cluster: string;
  name: string;
  namespaces: string[];
  onClose: () => void;
}

function Send({ cluster, name, namespaces, onClose }: SendProps): ReactElement {
  const { client } = useServices();
  const { session } = useSession();
  const [plan, setPlan] = useState<{ of: string; answer: BackupPlanAnswer }>();
  const [error, setError] = useState<AppError>();
  const [isAsking, setAsking] = useState(false);
  const namespace = session.clusters.find((each) => each.name === cluster)?.namespace ?? 'velero';
  const spec: JsonObject = namespaces.length === 0 ? {} : { includedNamespaces: namespaces };
  const body = resource('Backup', { namespace, name }, spec);
  const query = `?cluster=${encodeURIComponent(cluster)}`;
  const key = JSON.stringify([cluster, body]);
  const shown = plan?.of === key ? plan.answer : undefined;
  const isIncomplete = isAsking || name === '';
  const run = (work: Promise<void>): void => {
    setAsking(true);
    setError(undefined);
    work
      .catch((failure: unknown) => {
        setError(toAppError(failure));
      })
      .finally(() => {
        setAsking(false);
      });
  };
  const check = async (): Promise<void> => {
    setPlan({ of: key, answer: await client.change<BackupPlanAnswer>('POST', `api/plan${query}`, body) });
  };
  const begin = async (): Promise<void> => {
    const { id } = await client.change<ChangedAnswer>('POST', `api/backups${query}`, body);
    onClose();
    goTo(id === undefined ? ['backups'] : ['operations', id]);
  };
  return (
    <>
      {error && <ErrorNotice error={error} />}
      {shown && <Plan plan={shown} />}
      <div className={styles.buttons}>
        <Button
          variant="default"
          disabled={isIncomplete}
          onClick={() => {
            run(check());
          }}
        >
          {isAsking ? 'Asking the cluster…' : 'Show what it would take'}
        </Button>
        <Button
          disabled={isIncomplete || (shown?.validationErrors.length ?? 0) > 0}
          onClick={() => {
            run(begin());
          }}
        >
          Back up
        </Button>
      </div>
    </>
  );
}

function Plan({ plan }: { plan: BackupPlanAnswer }): ReactElement {
  return (
    <div className={styles.plan} role="status">
      {plan.validationErrors.map((text) => (
        <p key={text} className={styles.bad}>
          {sentence(text)}
        </p>
      ))}
      {plan.unmatched.map(({ field, name, message }) => (
        <p key={`${field} ${name}`} className={styles.bad}>
          {sentence(message)}
        </p>
      ))}
      {plan.validationErrors.length === 0 && (
        <p>
          {plural(plan.total, 'item')} of {plural(plan.resources.length, 'type')} in{' '}
          {plural(plan.namespaces.length, 'namespace')}.
        </p>
      )}
      <ul className={styles.kinds}>
        {plan.resources.slice(0, 30).map((row) => (
          <li key={row.resource}>
            {row.resource} {row.isEstimate && 'about '}
            {formatCount(row.count)}
          </li>
        ))}
      </ul>
      {plan.leftOut.map(({ reason, count }) => (
        <p key={reason}>
          Left out: {formatCount(count)}, {sentence(reason)}
        </p>
      ))}
      {plan.warnings.map((text) => (
        <p key={text}>{sentence(text)}</p>
      ))}
    </div>
  );
}
