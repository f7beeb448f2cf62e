import { describe, expect, it } from 'vitest';
import { recordingLog } from '../../../test/scripted-cluster/recording-log.ts';
import { Findings } from './findings.ts';

const TEXTS = { error: 'something is missing', warning: 'something may be missing' };

describe('findings', () => {
  it('stand in the results as Velero groups them, in the log, and in the counts', () => {
    const log = recordingLog();
    const findings = new Findings(log, TEXTS);
    findings.warn('cluster', 'w');
    findings.error({ namespace: 'n' }, 'e');
    findings.error('operation', 'v');
    findings.error({ groupResource: 'pods', namespace: 'n', name: 'db' }, 'p');
    findings.notice('cluster', 'only a notice');
    expect(findings.results()).toEqual({
      warnings: { cluster: ['w', 'only a notice'] },
      errors: { namespaces: { n: ['e', 'pods n/db: p'] }, velero: ['v'] },
    });
    expect([findings.warnings, findings.errors]).toEqual([1, 3]);
    expect(findings.lines()).toEqual(['e', 'v', 'pods n/db: p', 'w', 'only a notice']);
    expect(log.lines.at(-2)).toMatchObject({
      level: 'error',
      message: 'something is missing',
      fields: { resource: 'pods', namespace: 'n', name: 'db', error: 'p' },
    });
  });

  it('are bounded, errors before warnings, and the counts stay exact', () => {
    const findings = new Findings(recordingLog(), TEXTS);
    for (let i = 0; i < 12_000; i += 1) findings.warn('cluster', `w${i}`);
    findings.error('cluster', 'e');
    const { warnings, errors } = findings.results();
    expect(errors).toEqual({ cluster: ['e'] });
    expect(warnings.cluster).toHaveLength(9_999);
    expect(warnings.velero).toEqual(['2001 more warnings are only in the counts']);
    expect([findings.warnings, findings.errors]).toEqual([12_000, 1]);
  });
});
