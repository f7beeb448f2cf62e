import { Button, Modal } from '@mantine/core';
import type { ReactElement } from 'react';
import type { BlueprintAnswer, BlueprintProblem } from '../../../src/core/operations/index.ts';
import { usePlace, useSetQuery } from '../frame/place.ts';
import { useAnswer } from '../server/use-answer.ts';
import { useRefresh } from '../server/use-refresh.ts';
import { ErrorNotice, Notice, sentence, Waiting } from '../show/notice.tsx';
import { Page } from '../show/page.tsx';
import { Panel } from '../show/panel.tsx';
import { plural } from '../show/progress-text.ts';
import { Sign, type SignKind } from '../show/sign.tsx';
import { When } from '../show/when.tsx';
import { YamlObject } from '../show/yaml-view.tsx';
import { RunForm } from './run-form.tsx';
import { Arguments } from './arguments.tsx';
import { actionsOf, type BlueprintAction, type BlueprintPhase } from './blueprint-actions.ts';
import { readBlueprintId } from './blueprint-id.ts';
import { Verdict } from './blueprints-page.tsx';
import styles from './blueprints.module.css';

/** One Blueprint: what is wrong with it, its actions, and a way to run one. */
export function BlueprintPage({ id }: { id: string }): ReactElement {
  const { cluster, namespace, name } = readBlueprintId(id);
  const { run } = usePlace().query;
  const setQuery = useSetQuery();
  const { answer, error, again } = useAnswer<BlueprintAnswer>(`blueprint ${id}`, (client, signal) =>
    client.get(`api/blueprints/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`, { cluster }, signal),
  );
  useRefresh(again, 10_000);
  if (error) return <ErrorNotice error={error} again={again} />;
  if (answer === undefined) return <Waiting>Loading this Blueprint…</Waiting>;
  const actions = actionsOf(answer.object);
  const open = (action: string | undefined): void => {
    setQuery({ run: action });
  };
  return (
    <Page title={`blueprint/${name}`}>
      <p className={styles.dim}>
        <Verdict row={answer} /> · in namespace {namespace} of cluster {cluster} · created{' '}
        <When time={answer.createdAt} />
      </p>
      <ProblemList problems={answer.problems} />
      {actions.length === 0 && <Notice title="It has no actions">Nothing can be run with it.</Notice>}
      {actions.map((action) => (
        <Action
          key={action.name}
          action={action}
          problems={answer.problems}
          onRun={() => {
            open(action.name);
          }}
        />
      ))}
      <Panel title="YAML">
        <YamlObject object={answer.object} label={`YAML of blueprint/${name}`} />
      </Panel>
      <Modal
        opened={run !== undefined && actions.length > 0}
        title={`Run an action of blueprint/${name}`}
        size="xl"
        onClose={() => {
          open(undefined);
        }}
      >
        <RunForm blueprint={{ cluster, namespace, name }} actions={actions} first={run ?? ''} />
      </Modal>
    </Page>
  );
}

const STOPS: Readonly<Record<BlueprintProblem['stops'], { sign: SignKind; words: string }>> = {
  run: { sign: 'bad', words: 'no action set with it begins' },
  phase: { sign: 'bad', words: 'fails when the phase has its turn' },
  nothing: { sign: 'warn', words: 'likely a mistake' },
};

function ProblemList({ problems }: { problems: readonly BlueprintProblem[] }): ReactElement | null {
  if (problems.length === 0) return null;
  return (
    <Panel title={`Problems (${String(problems.length)})`}>
      <ul className={styles.problems}>
        {problems.map((problem, at) => (
          <li key={at}>
            <Sign kind={STOPS[problem.stops].sign} />
            <span>
              <span className={styles.dim}>{placeText(problem)}</span> {sentence(problem.message)}{' '}
              <span className={styles.dim}>({STOPS[problem.stops].words})</span>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** `action backup, phase dump, argument command[2], line 3:` */
function placeText({ action, phase, argument, line }: BlueprintProblem): string {
  const named = { action, phase, argument, line };
  const parts = Object.entries(named).flatMap(([what, value]) => (value === undefined ? [] : [`${what} ${value}`]));
  return parts.length === 0 ? '' : `${parts.join(', ')}:`;
}

interface ActionProps {
  action: BlueprintAction;
  problems: readonly BlueprintProblem[];
  onRun: () => void;
}

function Action({ action, problems, onRun }: ActionProps): ReactElement {
  const count = (phase: string): number =>
    problems.filter((problem) => problem.action === action.name && problem.phase === phase).length;
  return (
    <Panel
      title={`Action ${action.name}`}
      side={
        <Button size="compact-sm" onClick={onRun} aria-label={`Run ${action.name}…`}>
          Run…
        </Button>
      }
    >
      <Needs action={action} />
      <ol className={styles.phases} aria-label={`Phases of ${action.name}`}>
        {action.phases.map((phase, at) => (
          <li key={at}>
            <Phase phase={phase} problems={count(phase.name)} />
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function Needs({ action: { kind, secrets, configMaps, inputs, outputs } }: { action: BlueprintAction }): ReactElement {
  const facts = [
    kind === undefined ? undefined : `for a ${kind}`,
    namesText('needs secret', secrets),
    namesText('needs config map', configMaps),
    namesText('needs artifact', inputs),
    namesText('leaves artifact', outputs),
  ].filter((fact) => fact !== undefined);
  return <p className={styles.needs}>{facts.length === 0 ? 'Needs nothing but its object.' : facts.join(' · ')}</p>;
}

/** `needs secrets a, b` */
function namesText(words: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  return `${words}${names.length === 1 ? '' : 's'} ${names.join(', ')}`;
}

function Phase({ phase, problems }: { phase: BlueprintPhase; problems: number }): ReactElement {
  const { name, func, args, isDeferred, timeout, retries } = phase;
  const more = [
    isDeferred ? 'at the end, whatever became of the others' : undefined,
    timeout === undefined ? undefined : `at most ${timeout}`,
    retries === undefined || retries === 0 ? undefined : `tried again ${plural(retries, 'time')}`,
  ].filter((each) => each !== undefined);
  return (
    <details className={styles.phase}>
      <summary>
        <strong>{name}</strong> <code>{func || 'no function'}</code>
        {more.length > 0 && <span className={styles.dim}> {more.join(', ')}</span>}
        {problems > 0 && (
          <span className={styles.bad}>
            {' '}
            <Sign kind="bad" /> {plural(problems, 'problem')}
          </span>
        )}
      </summary>
      <Arguments args={args} />
    </details>
  );
}
