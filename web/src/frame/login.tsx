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
  const refused = REFUSALS[new URLSearchParams(window.location.search).get('login') ?? ''];
  const byLink = session.clusters.some(({ login }) => login === 'link');
  return (
    <main className={styles.login}>
      <h1>{hasExpired ? 'Your session has ended' : 'Log in to Headway'}</h1>
      {hasExpired && <p role="alert">Log in again to continue where you were. Running operations are not affected.</p>}
      {byLink && refused !== undefined && <p role="alert">{refused}</p>}
      {byLink && (
        <p>
          Open the newest login link from the terminal where Headway is running. Each link logs in one browser, once.
        </p>
      )}
      {byToken.length > 0 && <TokenForm clusters={byToken} onDone={onDone} />}
    </main>
  );
}

/** What the server says about a link when it sends a browser back. */
const REFUSALS: Readonly<Record<string, string>> = {
  used: 'This link has already been used.',
  refused: 'This link is not valid: the server did not issue it, or issued it before its last start.',
};

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
        description="A bearer token for this cluster. You can see and do here what the token allows there."
        autoComplete="off"
        value={token}
        error={error}
        onChange={(event) => {
          setToken(event.currentTarget.value);
        }}
      />
      <p>
        Create a token: <code>kubectl -n NAMESPACE create token SERVICEACCOUNT</code>
      </p>
      <p>
        On a pocket cluster, use the one in its kubeconfig:{' '}
        <code>{"kubectl config view --raw --minify -o jsonpath='{.users[0].user.token}'"}</code>
      </p>
      <Button type="submit" disabled={token.trim() === '' || isSending}>
        {isSending ? 'Please wait…' : 'Log in'}
      </Button>
    </form>
  );
}
