/**
 * Blueprints and ActionSets: templates, the functions and their arguments, what is wrong with a Blueprint, the status of
 * an ActionSet and what comes next, the outputs of phases, and their pods as they are asked for.
 * It must never do any of it: no cluster, no store, no clock.
 */
export { FUNCTIONS, functionNamed } from './functions/table.ts';
export type {
  Argument,
  ArgumentType,
  FunctionDeclaration,
  ProgressClass,
  ResumeClass,
} from './functions/declaration.ts';
export { checkNames, readArguments, type ArgumentProblem, type Arguments } from './functions/check.ts';
export {
  decodeArgument,
  readTimeout,
  type ArgumentValues,
  type Condition,
  type Conditions,
  type ObjectReference,
} from './functions/decode.ts';
export { problemText, type Problem } from './blueprint/problem.ts';
export { validateBlueprint } from './blueprint/validate.ts';
export { admissionProblems, findAction, type ActionSpec } from './blueprint/admit.ts';
export { actionTarget, type Target } from './blueprint/target.ts';
export type { BlueprintAction, BlueprintPhase } from './blueprint/phase.ts';
export { whereText, type Where } from './arguments/where.ts';
export { renderArguments, renderReferences, type Rendering } from './arguments/render.ts';
export { renderArtifacts } from './arguments/artifacts.ts';
export { previewPhase, type ArgumentPreview, type PhasePreview } from './arguments/preview.ts';
export { isConditionMet } from './conditions/evaluate.ts';
export {
  templateParams,
  type ActionFacts,
  type Artifact,
  type PhaseFacts,
  type WorkloadFacts,
} from './params/template-params.ts';
export { profileSecrets, profileValue, type ProfileOptions, type SecretReference } from './params/profile.ts';
export { Budget, type BudgetOptions } from './template/index.ts';
export { DONE, hundredths, percentText, thirds, type Third } from './status/percent.ts';
export type { FunctionStats } from './status/progress.ts';
export { begunStatus, initialStatus, refusedStatus, unfitStatus } from './status/begin.ts';
export {
  finishedStatus,
  phaseBegan,
  phaseCompleted,
  phaseExecuted,
  phaseFailed,
  phaseKept,
  phaseProgressed,
  type Ending,
} from './status/change.ts';
export { failures, isSuccessful, nextSteps, type Step } from './status/steps.ts';
export { phaseAt, type ActionSetStatus, type ActionStatus, type PhaseRef, type PhaseStatus } from './status/types.ts';
export { OutputReader, markerLine, mergeOutputs } from './output/markers.ts';
export { OutputTail } from './output/tail.ts';
export { MAIN_CONTAINER, OUTPUT_CONTAINER, mergeOverrides, overridden, spreadOverride } from './pods/override.ts';
export { jobPodSpec, pairPodSpec, type JobPod, type PairPod } from './pods/spec.ts';
export { mergedTexts, phaseOfPod, podName, type PodPhase, type PodPurpose } from './pods/identity.ts';
export { parseKando, type KandoCommand } from './kando/command.ts';
export { readProfile, type ProfileLocation, type ProfileStore } from './kando/location.ts';
export { dataLocation, type DataLocation, type DataRepository } from './data/data-location.ts';
export {
  CONTAINER_COMMAND,
  dataProgram,
  endingCommand,
  POD_COMMAND,
  PROGRAM_VARIABLE,
  programInput,
  type BackupName,
  type DataJob,
  type DataMover,
  type DataStep,
} from './data/program.ts';
export { DataOutput, type TakenBackup } from './data/data-output.ts';
export { resticSize } from './data/sizes.ts';
export { formatBackupInfo, parseBackupInfo, type BackupInfo } from './data/backup-info.ts';
export { copyStats } from './data/copy-stats.ts';
