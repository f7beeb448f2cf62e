import { Button, CopyButton } from '@mantine/core';
import { useEffect, useState, type ReactElement } from 'react';
import type { JsonObject } from '../../../src/base/index.ts';
import { Waiting } from './notice.tsx';
import styles from './yaml-view.module.css';

/** Text as it is, to read and to copy. */
export function YamlText({ text, label }: { text: string; label: string }): ReactElement {
  return (
    <div className={styles.view}>
      <div className={styles.copy}>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button size="compact-xs" variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </div>
      <pre className={styles.text} tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
    </div>
  );
}

/** The library that writes YAML is fetched when somebody wants to see some. */
export function YamlObject({ object, label }: { object: JsonObject; label: string }): ReactElement {
  const [text, setText] = useState<string>();
  useEffect(() => {
    let isCurrent = true;
    void import('yaml').then(({ stringify }) => {
      if (isCurrent) setText(stringify(object, { lineWidth: 0 }));
    });
    return () => {
      isCurrent = false;
    };
  }, [object]);
  return text === undefined ? <Waiting>Loading the YAML…</Waiting> : <YamlText text={text} label={label} />;
}
