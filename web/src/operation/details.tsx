import { Tabs } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import type { Operation, OperationDetail } from '../../../src/core/operations/index.ts';
import { operationTitle } from '../../../src/core/operations/title.ts';
import { usePlace, useSetQuery } from '../frame/place.ts';
import { can } from '../show/operation-name.tsx';
import { YamlObject } from '../show/yaml-view.tsx';
import { isTerminal } from '../../../src/core/progress/index.ts';
import { ItemsByKind } from './items-by-kind.tsx';
import { LogView } from './log-view.tsx';
import { Output } from './output.tsx';
import { outputsOf } from './outputs.ts';
import { Problems } from './problems.tsx';
import { Timeline } from './timeline.tsx';
import styles from './operation.module.css';

interface DetailsProps {
  operation: Operation;
  detail: OperationDetail;
}

interface Tab {
  value: string;
  title: string;
  content: ReactElement;
}

/** Everything else about it, one thing at a time: what its kind does not have is not offered. */
export function Details({ operation, detail }: DetailsProps): ReactElement {
  const tabs = tabsOf(operation, detail);
  const { tab: asked } = usePlace().query;
  const setQuery = useSetQuery();
  const now = firstTab(operation, detail, tabs);
  // A log that somebody reads stays when what it is of ends.
  const [isReading] = useState(now === 'log');
  const first = isReading ? 'log' : now;
  // An address may come from another kind.
  const open = tabs.find(({ value }) => value === asked)?.value ?? first;
  return (
    <Tabs
      className={styles.panel}
      value={open}
      keepMounted={false}
      onChange={(next) => {
        setQuery({ tab: next ?? undefined, q: undefined });
      }}
    >
      <Tabs.List className={styles.tabs}>
        {tabs.map(({ value, title }) => (
          <Tabs.Tab key={value} value={value}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ value, content }) => (
        <Tabs.Panel key={value} value={value}>
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** What failed opens on why, and an action that runs on what its phases print. */
function firstTab(operation: Operation, { problems }: OperationDetail, tabs: readonly Tab[]): string {
  const { state } = operation.report;
  const isBad = state === 'failed' || state === 'partiallyFailed';
  if (isBad && problems.length > 0) return 'problems';
  // What does not consist of items shows what it prints.
  if (!isTerminal(state) && can(operation, 'logs') && !can(operation, 'items')) return 'log';
  return tabs[0]?.value ?? '';
}

function tabsOf(operation: Operation, detail: OperationDetail): Tab[] {
  const groups = detail.problems.length;
  const outputs = outputsOf(detail.object);
  const all: (Tab & { isOffered?: boolean })[] = [
    {
      value: 'items',
      title: 'Items by kind',
      isOffered: can(operation, 'items'),
      content: <ItemsByKind kinds={detail.itemsByKind} operation={operation} />,
    },
    {
      value: 'problems',
      title: groups === 0 ? 'Problems' : `Problems (${String(groups)})`,
      content: <Problems problems={detail.problems} />,
    },
    {
      value: 'log',
      title: 'Log',
      isOffered: can(operation, 'logs'),
      content: <LogView operation={operation} />,
    },
    {
      value: 'output',
      title: 'Output',
      isOffered: outputs.length > 0,
      content: <Output outputs={outputs} />,
    },
    { value: 'timeline', title: 'Timeline', content: <Timeline operation={operation} detail={detail} /> },
    {
      value: 'yaml',
      title: 'YAML',
      content: <YamlObject object={detail.object} label={`YAML of ${operationTitle(operation)}`} />,
    },
  ];
  return all.filter(({ isOffered = true }) => isOffered);
}
