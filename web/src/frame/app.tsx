import { useCallback, useEffect, useState, type ReactElement } from 'react';
import type { SessionAnswer } from '../../../src/core/operations/index.ts';
import { isAppError } from '../../../src/base/index.ts';
import type { LiveState } from '../live/live-store.ts';
import { useLive } from '../live/use-live.ts';
import { useServices } from '../server/services.ts';
import { useAnswer } from '../server/use-answer.ts';
import { ErrorNotice, Waiting } from '../show/notice.tsx';
import { Frame } from './frame.tsx';
import { Login } from './login.tsx';
import { Session } from './session.ts';

const light = (state: LiveState): LiveState['light'] => state.light;

/** Who is looking: the log-in while nobody is, else the frame with the live connection. */
export function App(): ReactElement {
  const { client, store, connection } = useServices();
  const { answer: session, error, again } = useAnswer('session', (ask, signal) => ask.session(signal));
  const refused = useLive(light);
  const [wasIn, setWasIn] = useState(false);
  const isIn = session !== undefined && isLoggedIn(session);
  const hasExpired = refused.kind === 'refused' && refused.code === 'unauthenticated';
  useEffect(() => {
    if (isIn) setWasIn(true);
  }, [isIn]);
  useEffect(() => {
    // Until the server is there, a person need not press anything.
    if (!isAppError(error, 'unreachable', 'timeout')) return;
    const timer = setTimeout(again, 2000);
    return () => {
      clearTimeout(timer);
    };
  }, [error, again]);
  useEffect(() => {
    if (!isIn || hasExpired) return;
    const life = new AbortController();
    void connection.run(life.signal);
    return () => {
      life.abort();
    };
  }, [isIn, hasExpired, connection]);
  const leave = useCallback(() => {
    connection.forget();
    store.clear();
    again();
  }, [connection, store, again]);
  const logOut = useCallback(() => {
    // Whatever the server answers, this page forgets what it saw.
    void client.change('POST', 'api/logout').then(leave, leave);
  }, [client, leave]);
  if (session === undefined) {
    return (
      <main>{error ? <ErrorNotice error={error} again={again} /> : <Waiting>Connecting to the server…</Waiting>}</main>
    );
  }
  if (!isIn || hasExpired) return <Login session={session} hasExpired={hasExpired || wasIn} onDone={leave} />;
  return (
    <Session value={{ session, logOut, again }}>
      <Frame />
    </Session>
  );
}

function isLoggedIn({ clusters }: SessionAnswer): boolean {
  return clusters.some(({ user }) => user !== undefined);
}
