import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { objectAt, type JsonObject } from '../../../src/base/index.ts';
import type { ContentsAnswer, OperationDetail } from '../../../src/core/operations/index.ts';
import { parseOperationId } from '../../../src/core/operations/operation-id.ts';
import { usePlace, useSetQuery } from '../frame/place.ts';
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
  const { query } = usePlace();
  const setQuery = useSetQuery();
  const { from } = query;
  const contents = useAnswer<ContentsAnswer>(`tree ${id}`, (client, signal) =>
    client.get(`api/backups/${encodeURIComponent(id)}/contents`, { limit: '1' }, signal),
  );
  const retried = useAnswer<OperationDetail>(from === undefined ? undefined : `operation ${from}`, (client, signal) =>
    client.get(`api/operations/${encodeURIComponent(from ?? '')}`, {}, signal),
  );
  const title = `Restore from backup/${parseOperationId(id).name}`;
  const error = contents.error ?? retried.error;
  if (error) return <ErrorNotice error={error} again={contents.error ? contents.again : retried.again} />;
  if (!contents.answer || (from !== undefined && !retried.answer)) {
    return <Waiting>Reading what is in the backup…</Waiting>;
  }
  const base: JsonObject = retried.answer === undefined ? {} : objectAt(retried.answer.object, 'spec');
  const draft = draftOf(id, query, base);
  const at = Math.max(
    0,
    STEPS.findIndex(({ key }) => key === query['step']),
  );
  const go = (step: StepKey | undefined): void => {
    setQuery({ step });
  };
  const change = (next: Partial<RestoreDraft>): void => {
    setQuery(queryOf(next));
  };
  const props: StepProps = { backupId: id, draft, contents: contents.answer, change };
  return (
    <Page title={title}>
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
              {at === 0 ? 'Where to' : 'Check what would happen'}
            </Button>
          )}
        </div>
      </div>
    </Page>
  );
}
