import { describe, expect, it } from 'vitest';
import { PARAMS, FACTS } from '../../../../test/templates/params.ts';
import { templateParams } from '../params/template-params.ts';
import { Budget } from '../template/index.ts';
import { renderArtifacts } from './artifacts.ts';
import { previewPhase } from './preview.ts';
import { renderArguments, renderReferences, type Rendering } from './render.ts';

const rendering = (): Rendering => ({
  params: PARAMS,
  budget: new Budget({ now: 0 }),
  where: { blueprint: 'b', action: 'backup', phase: 'dump' },
});

describe('arguments of a phase', () => {
  it('are rendered to the last text, keys too, and nothing else is touched', () => {
    const args = {
      namespace: '{{ .StatefulSet.Namespace }}',
      command: ['sh', '-c', 'echo {{ .Options.one }}', 3, true],
      volumes: { '{{ upper `pvc` }}': '/mnt/{{ .StatefulSet.Name }}' },
      deep: [{ a: [{ '{{ 1 }}': 12345678901234567890n }] }],
    };
    expect(renderArguments(args, rendering())).toEqual({
      namespace: 'shop',
      command: ['sh', '-c', 'echo 1', 3, true],
      volumes: { PVC: '/mnt/my-db' },
      deep: [{ a: [{ 1: 12345678901234567890n }] }],
    });
  });

  it('tell every problem with Blueprint, action, phase, argument and line', () => {
    const args = { command: ['ok', 'two\nlines {{ .Options.none }}'], image: '{{ .Deployment.Name }}', x: null };
    expect(() => renderArguments(args, rendering())).toThrow(
      'Blueprint b, action backup, phase dump, argument command[1], line 2: Failed to render template: "none" not found at <.Options.none>; ' +
        'Blueprint b, action backup, phase dump, argument image, line 1: Failed to render template: ' +
        'nil pointer evaluating *param.DeploymentParams.Name at <.Deployment.Name>; ' +
        'Blueprint b, action backup, phase dump, argument x: argument x is null',
    );
  });

  it('share their bounds, and the one that breaks them is told alone', () => {
    const args = { a: '{{ range 100000000 }}{{ end }}', b: '{{ .Options.one }}', c: '{{ .Options.none }}' };
    expect(() => renderArguments(args, rendering())).toThrow(
      /^Blueprint b, action backup, phase dump, argument a: Failed to render template: needs more than \d+ steps$/,
    );
  });

  it('keeps a key that every object inherits', () => {
    const args = JSON.parse('{"__proto__": "{{ 1 }}", "a": {"constructor": "{{ 2 }}"}}') as never;
    expect(JSON.stringify(renderArguments(args, rendering()))).toBe('{"__proto__":"1","a":{"constructor":"2"}}');
  });
});

describe('references and artifacts', () => {
  it('are rendered', () => {
    expect(
      renderReferences({ s: { kind: 'Secret', name: '{{ .Options.one }}', namespace: undefined } }, rendering()),
    ).toEqual({
      s: { kind: 'Secret', name: '1' },
    });
    const raw = {
      o: { keyValue: { k: '{{ .Phases.first.Output.k }}' } },
      s: { kopiaSnapshot: '{{ .Phases.first.Output.n }}' },
    };
    expect(renderArtifacts(raw, rendering())).toEqual({ o: { keyValue: { k: 'v' } }, s: { kopiaSnapshot: '3' } });
    expect(() => renderArtifacts({ o: { keyValue: { k: '{{ .Phases.x }}' } } }, rendering())).toThrow(
      'argument outputArtifacts.o.keyValue.k, line 1: Failed to render template: "x" not found',
    );
  });
});

describe('a dry run', () => {
  const masked = { ...rendering(), params: templateParams(FACTS, { isMasked: true }) };

  it('shows arguments, says what is not known yet, and never a secret', () => {
    const args = {
      image: 'x:{{ .Options.one }}',
      command: [
        '--password={{ .Secrets.db.Data.pass | toString }}',
        '{{ .Phases.first.Secrets.mine.Data.user | toString | upper }}',
      ],
      path: '{{ .Phases.later.Output.path }}',
      wrong: '{{ .Options.none }}',
    };
    expect(previewPhase({ name: 'dump', func: 'KubeTask', args }, masked)).toEqual({
      phase: 'dump',
      function: 'KubeTask',
      arguments: {
        image: { value: 'x:1' },
        command: { value: ['--password=***', '***'] },
        path: { waitsFor: 'what phase later returns' },
        wrong: {
          problems: [
            'Blueprint b, action backup, phase dump, argument wrong, line 1: Failed to render template: "none" not found at <.Options.none>',
          ],
        },
      },
    });
  });

  it('leaves conditions of Wait as they are', () => {
    const args = { timeout: '1m', conditions: { anyOf: [] } };
    expect(previewPhase({ name: 'w', func: 'Wait', args }, masked).arguments).toEqual({
      timeout: { value: '1m' },
      conditions: { value: { anyOf: [] } },
    });
  });
});
