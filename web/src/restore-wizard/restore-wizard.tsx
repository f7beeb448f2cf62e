import { Button } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { objectAt, type JsonObject } from '../../../src/base/index.ts';
import type { ContentsAnswer, OperationDetail } from '../../../src/core/operations/index.ts';
import { parseOperationId } from '../../../src/core/operations/operation-id.ts';
import { usePlace, useSetQuery } from '../frame/place.ts';
import { timedName } from '../server/resource.ts';
import { useAnswer } from '../server/use-answer.ts';
import { ErrorNotice, Waiting } from '../show/notice.tsx';
import { Page } from '../show/page.tsx';
import { CheckStep } from './check-step.tsx';
import { draftOf, queryOf, type RestoreDraft } from './restore-draft.ts';
import type { StepProps } from './step-props.ts';
import { WhatStep } from './what-step.tsx';
import { WhereStep } from './where-step.tsx';
import styles from './wizard.module.css';

const STEPS = [
  { key: 'what', title: 'What' },
  { key: 'where', title: 'Where' },
  { key: 'check', title: 'Check' },
] as const;
type StepKey = (typeof STEPS)[number]['key'];

/** What, where, check: nothing is created before the last button. */
export function RestoreWizard({ id }: { id: string }): ReactElement {
  const { from } = usePlace().query;
  const contents = useAnswer<ContentsAnswer>(`tree ${id}`, (client, signal) =>
    client.get(`api/backups/${encodeURIComponent(id)}/contents`, { limit: '1' }, signal),
  );
  const first = useAnswer<OperationDetail>(from === undefined ? undefined : `operation ${from}`, (client, signal) =>
    client.get(`api/operations/${encodeURIComponent(from ?? '')}`, {}, signal),
  );
  if (contents.error) return <ErrorNotice error={contents.error} again={contents.again} />;
  if (first.error) return <ErrorNotice error={first.error} again={first.again} />;
  if (!contents.answer || (from !== undefined && !first.answer)) {
    return <Waiting>Loading the backup’s contents…</Waiting>;
  }
  return <Wizard id={id} contents={contents.answer} first={first.answer} />;
}

interface WizardProps {
  id: string;
  contents: ContentsAnswer;
  /** The restore that is tried again. */
  first: OperationDetail | undefined;
}

function Wizard({ id, contents, first }: WizardProps): ReactElement {
  const { query } = usePlace();
  const setQuery = useSetQuery();
  const [openedAt] = useState(() => new Date());
  const backup = parseOperationId(id).name;
  const base: JsonObject = objectAt(first?.object, 'spec');
  // As the command line calls it: a second restore of a backup must not meet the name of the first.
  const name = timedName(first === undefined ? backup : `${first.ref.name}-retry`, openedAt);
  const draft = draftOf(id, query, { name, spec: base });
  const change = (next: Partial<RestoreDraft>): void => {
    setQuery(queryOf(next));
  };
  if (first !== undefined && query['only'] === 'failed') {
    return (
      <Page title={`Retry what restore/${first.ref.name} did not restore`}>
        <div className={styles.panel}>
          <CheckStep backupId={id} draft={draft} base={base} retryOf={first.ref.name} />
        </div>
      </Page>
    );
  }
  return (
    <Page title={`Restore from backup/${backup}`}>
      <Steps backupId={id} draft={draft} contents={contents} change={change} base={base} />
    </Page>
  );
}

function Steps({ base, ...props }: StepProps & { base: JsonObject }): ReactElement {
  const { query } = usePlace();
  const setQuery = useSetQuery();
  const at = Math.max(
    0,
    STEPS.findIndex(({ key }) => key === query['step']),
  );
  const go = (step: StepKey | undefined): void => {
    setQuery({ step });
  };
  return (
    <>
      <ol className={styles.steps} aria-label="Steps">
        {STEPS.map(({ key, title: name }, index) => (
          <li key={key} aria-current={index === at ? 'step' : undefined}>
            <button
              type="button"
              onClick={() => {
                go(key);
              }}
            >
              <span>{index + 1}</span> {name}
            </button>
          </li>
        ))}
      </ol>
      <div className={styles.panel}>
        {at === 0 && <WhatStep {...props} />}
        {at === 1 && <WhereStep {...props} />}
        {at === 2 && <CheckStep {...props} base={base} />}
        <div className={styles.buttons}>
          {at > 0 && (
            <Button
              variant="default"
              onClick={() => {
                go(STEPS[at - 1]?.key);
              }}
            >
              Back
            </Button>
          )}
          {at < 2 && (
            <Button
              onClick={() => {
                go(STEPS[at + 1]?.key);
              }}
            >
              {at === 0 ? 'Next: where' : 'Next: check'}
            </Button>
          )}
        </div>
      </div>
    </>
  );
}
