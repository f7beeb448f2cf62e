import { Button, NativeSelect, PasswordInput } from '@mantine/core';
import { useState, type ReactElement, type SubmitEvent } from 'react';
import type { SessionAnswer } from '../../../src/core/operations/index.ts';
import { messageOf } from '../../../src/base/index.ts';
import { useServices } from '../server/services.ts';
import { sentence } from '../show/notice.tsx';
import styles from './login.module.css';

interface LoginProps {
  session: SessionAnswer;
  hasExpired: boolean;
  onDone: () => void;
}

export function Login({ session, hasExpired, onDone }: LoginProps): ReactElement {
  const byToken = session.clusters.filter(({ login }) => login === 'token').map(({ name }) => name);
  const byLink = session.clusters.some(({ login }) => login === 'link');
  return (
    <main className={styles.login}>
      <h1>{hasExpired ? 'Your session has ended' : 'Log in to Headway'}</h1>
      {hasExpired && <p role="alert">Log in again to go on where you were. Nothing that runs has stopped.</p>}
      {byLink && isLinkRefused() && <p role="alert">This link was used already: each lets one browser in.</p>}
      {byLink && (
        <p>
          This server lets you in with a link that works once. The last one in the terminal where Headway runs is always
          a fresh one.
        </p>
      )}
      {byToken.length > 0 && <TokenForm clusters={byToken} onDone={onDone} />}
    </main>
  );
}

/** Where the server sends a browser whose link it does not take. */
function isLinkRefused(): boolean {
  return new URLSearchParams(window.location.search).get('login') === 'refused';
}

function TokenForm({ clusters, onDone }: { clusters: readonly string[]; onDone: () => void }): ReactElement {
  const { client } = useServices();
  const [cluster, setCluster] = useState(clusters[0] ?? '');
  const [token, setToken] = useState('');
  const [error, setError] = useState<string>();
  const [isSending, setSending] = useState(false);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setSending(true);
    client
      .change('POST', 'api/login', { token: token.trim(), cluster })
      .then(onDone, (failure: unknown) => {
        setError(sentence(messageOf(failure)));
      })
      .finally(() => {
        setSending(false);
      });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <NativeSelect
        label="Cluster"
        value={cluster}
        data={[...clusters]}
        onChange={(event) => {
          setCluster(event.currentTarget.value);
        }}
      />
      <PasswordInput
        label="Token"
        description="A bearer token of this cluster. What you may see and do here is what it may do there."
        autoComplete="off"
        value={token}
        error={error}
        onChange={(event) => {
          setToken(event.currentTarget.value);
        }}
      />
      <p>
        Make one that lasts an hour: <code>kubectl -n NAMESPACE create token SERVICEACCOUNT</code>
      </p>
      <Button type="submit" disabled={token.trim() === '' || isSending}>
        {isSending ? 'Asking the cluster…' : 'Log in'}
      </Button>
    </form>
  );
}
