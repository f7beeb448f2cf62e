import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findAdapter, formatOperationId, operationTitle, readOperation } from '../../src/core/operations/index.ts';
import type { KubeObject } from '../../src/api/meta/kube-object.ts';
import { manifests, type Manifest } from '../manifests.ts';
import { needsBrowser } from './browser.ts';
import { PageFixture } from './page-fixture.ts';
import { CLUSTER } from './sample-operations.ts';

const NOW = Date.parse('2026-01-31T12:10:00Z');
const FOLDERS = ['test/fixtures/seeds', 'test/fixtures/upstream', 'test/fixtures/objects'] as const;
const need = await needsBrowser();

/** As an API server gives it back. */
function created({ object }: Manifest): KubeObject {
  const { name } = object.metadata;
  return { ...object, metadata: { ...object.metadata, uid: `uid-${name}`, creationTimestamp: '2026-01-31T11:59:00Z' } };
}

describe.skipIf(need.missing)(need.title('every example of a status, on the page'), () => {
  const fixture = new PageFixture().use();

  async function textOf(page: Page, object: KubeObject): Promise<string> {
    const adapter = findAdapter(object.kind)!;
    const { namespace = '', name } = object.metadata;
    const id = formatOperationId({ cluster: CLUSTER, kind: object.kind, namespace, name });
    const title = operationTitle(readOperation(adapter, object, { cluster: CLUSTER, now: NOW }));
    await page.goto(`${fixture.server.url}#/operations/${encodeURIComponent(id)}`);
    await page.getByRole('heading', { name: title, exact: true }).waitFor();
    await page.getByRole('tab', { name: 'YAML' }).waitFor();
    // An action that runs opens on its log, which is read beside the rest.
    const waiting = page.locator('article p[role="status"]');
    await expect.poll(() => waiting.allInnerTexts(), { timeout: 12_000 }).toEqual([]);
    const lines = (await page.locator('article').innerText()).split('\n').map((line) => line.trim());
    return lines.filter((line) => line !== '').join('\n');
  }

  it.each(FOLDERS)(
    '%s reads as it always did',
    async (folder) => {
      fixture.server.fixedNow = NOW;
      const objects = manifests(folder).filter(({ object }) => findAdapter(object.kind) !== undefined);
      for (const manifest of objects) fixture.server.apply(CLUSTER, created(manifest));
      const page = await fixture.open('#/operations', { now: NOW });
      const texts = [];
      for (const manifest of objects) texts.push(`── ${manifest.file}\n${await textOf(page, created(manifest))}\n`);
      const golden = `page-${folder.split('/').at(-1) ?? ''}.golden.txt`;
      await expect(texts.join('\n')).toMatchFileSnapshot(join(import.meta.dirname, '../fixtures/operations', golden));
    },
    60_000,
  );
});
