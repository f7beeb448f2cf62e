import { isObject, objectAt, objectsAt, textAt, valueAt, type Json, type JsonObject } from '../../../src/base/index.ts';

/** One phase of an action, as the Blueprint has it. */
export interface BlueprintPhase {
  /** Its number where it has no name, as the problems call it. */
  name: string;
  func: string;
  /** The text of each argument; what is no text is shown as YAML would be. */
  args: { name: string; text: string }[];
  isDeferred: boolean;
  timeout: string | undefined;
  retries: number | undefined;
}

export interface BlueprintAction {
  name: string;
  /** What it is for, as far as the Blueprint says. */
  kind: string | undefined;
  secrets: string[];
  configMaps: string[];
  /** What an earlier action has to have left behind, and what this one leaves behind. */
  inputs: string[];
  outputs: string[];
  phases: BlueprintPhase[];
}

/** The actions of a Blueprint, whatever somebody has written there. */
export function actionsOf(blueprint: JsonObject): BlueprintAction[] {
  return Object.entries(objectAt(blueprint, 'actions')).map(([name, given]) => {
    const action = isObject(given) ? given : {};
    const deferred = valueAt(action, 'deferPhase');
    return {
      name,
      kind: textAt(action, 'kind'),
      secrets: namesAt(action, 'secretNames'),
      configMaps: namesAt(action, 'configMapNames'),
      inputs: namesAt(action, 'inputArtifactNames'),
      outputs: Object.keys(objectAt(action, 'outputArtifacts')),
      phases: [
        ...objectsAt(action, 'phases').map((phase, at) => phaseOf(phase, String(at + 1), false)),
        ...(isObject(deferred) ? [phaseOf(deferred, 'deferPhase', true)] : []),
      ],
    };
  });
}

function phaseOf(phase: JsonObject, otherwise: string, isDeferred: boolean): BlueprintPhase {
  const retries = valueAt(phase, 'retries');
  return {
    name: textAt(phase, 'name') || otherwise,
    func: textAt(phase, 'func') ?? '',
    args: Object.entries(objectAt(phase, 'args')).map(([name, value]) => ({ name, text: argumentText(value) })),
    isDeferred,
    timeout: textAt(phase, 'timeout'),
    retries: typeof retries === 'number' ? retries : undefined,
  };
}

/** A command reads best as it would be typed into a script: its parts below each other. */
export function argumentText(value: Json | undefined): string {
  if (typeof value === 'string') return value.trimEnd();
  if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return value.join('\n').trimEnd();
  return JSON.stringify(value ?? null, undefined, 2);
}

function namesAt(action: JsonObject, key: string): string[] {
  const names = valueAt(action, key);
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}
