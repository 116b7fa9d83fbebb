import type { ModelError } from '#protocol/model-error.ts';
import type { ErrorBody } from './error-body.ts';

export type ErrorClass = ModelError['class'];

const loadingWords = /loading model|model is (currently |still )?(being loaded|loading)/i;

/** Words by which vendors say the same thing under different statuses. The first match decides. */
const wordings: readonly { class: ErrorClass; code?: RegExp; text?: RegExp }[] = [
  {
    class: 'overflow',
    code: /context_?length|context_?window|exceed_context|too_many_prompt_tokens|string_above_max|max_tokens_exceeded|max_prompt_tokens|^1261$/i,
    text: new RegExp(
      [
        'prompt (is )?too long',
        'input (is )?too long',
        '(context|prompt) (length|size|window)[^.]{0,40}exceed',
        'exceed[^.]{0,60}(context|prompt) (length|size|window|limit)',
        'exceeds the available context',
        'maximum (context|prompt) length',
        'max(imum)? context (length|size|window)',
        'greater than the context length',
        'input token count[^.]{0,40}exceeds',
        'range of input length',
        'reduce the length of the (messages|prompt|input)',
        'total length of all messages',
        'too many (input |prompt )?tokens in',
        'context ?(window|size) ?(overflow|exceeded)',
        'input length and `?max_tokens`? exceed',
        'n_keep: \\d+ ?>= ?n_ctx',
        'longer than the (maximum model|model.s( maximum)?( context)?) length',
        'exceed[^.]{0,60}(maximum|max) (context |message |prompt )?(length|tokens)',
        'exceed[^.]{0,40}(model )?token limit',
        'token count[^.]{0,60}(exceeds|only supports)',
        'model only supports up to \\d+',
        'must have less than \\d+ tokens',
        'tokens \\+ `?max_new_tokens`? must be',
        'greater than max_seq_len',
        'total tokens of image and text exceed',
        'too many tokens: (the )?(total|number|size)',
        'too large for model with \\d+ max',
      ].join('|'),
      'i',
    ),
  },
  {
    class: 'tool-use-failed',
    code: /tool_use_failed/i,
    text: /failed to (parse|call) (a |the )?(tool|function)/i,
  },
  {
    class: 'tools-unsupported',
    text: new RegExp(
      [
        'does(n.t| not) support (the )?\\W?(tools?|functions?)\\b',
        'support tool use',
        '(tools?|tool_choice|functions?|(function|tool)[- ]call(s|ing)?|tool use)\\W? (is|are) not (currently )?(supported|enabled|available)',
        '(unrecognized|unknown|unsupported|unexpected)[^.]{0,40}(argument|parameter|field)[^.]{0,20}\\btools\\b',
        'tool[- _]call[- _]parser',
        'enable-auto-tool-choice',
        'tools param requires',
      ].join('|'),
      'i',
    ),
  },
  {
    class: 'content-filter',
    code: /content_filter|content_policy|moderation|ResponsibleAI|^data_inspection_failed$|DataInspectionFailed/i,
    text: /content (management )?polic(y|ies)|content moderation|flagged for/i,
  },
  {
    class: 'auth',
    code: /^(authentication_error|invalid_api_key|unauthenticated|missing_api_key)$/i,
    text: /(incorrect|invalid|missing|no|expired) (api[- ]?key|x-api-key|authentication|auth credentials)|api key (not valid|expired|is invalid)/i,
  },
  {
    class: 'overloaded',
    code: /overloaded|^slow_down$/i,
    text: new RegExp(`\\boverloaded\\b|at capacity|high demand|${loadingWords.source}`, 'i'),
  },
  {
    class: 'quota',
    code: /insufficient_(quota|balance|funds|credits)|exceeded_current_quota|billing|^1113$|credit/i,
    text: /insufficient (account )?(balance|funds|credits?|quota)|current quota|credit balance is too low|more credits|no resource package|payment required|(spend|usage|monthly|weekly) limit/i,
  },
];

/** The class that the words of an error answer give away, whatever its status says. */
export function classOfWords(body: ErrorBody): ErrorClass | undefined {
  const code = `${body.code} ${body.type}`;
  const known = wordings.find(
    (wording) =>
      (wording.code !== undefined && (wording.code.test(body.code) || wording.code.test(body.type))) ||
      wording.text?.test(body.message) === true,
  );
  if (known?.class === 'quota' && isRateLimit(code)) return 'rate-limit';
  return known?.class;
}

/** Google says "quota" for a limit a minute too; when it names a time to come back, it is one. */
function isRateLimit(code: string): boolean {
  if (/rate_?limit/i.test(code) && !/insufficient/i.test(code)) return true;
  return /RESOURCE_EXHAUSTED/.test(code);
}

/** A server that is there but has not read its model yet. */
export function isLoading(message: string): boolean {
  return loadingWords.test(message);
}

export function classOfStatus(status: number): ErrorClass {
  if (status === 401) return 'auth';
  if (status === 402) return 'quota';
  if (status === 403) return 'permission';
  if (status === 404) return 'not-found';
  if (status === 408 || status === 504 || status === 524) return 'timeout';
  if (status === 409 || status === 425) return 'server';
  if (status === 413) return 'too-large';
  if (status === 429) return 'rate-limit';
  // A 503 without a word about load comes from a proxy whose server is being started again.
  if (status === 529) return 'overloaded';
  if (status >= 500) return 'server';
  if (status >= 400) return 'bad-request';
  return 'bad-response';
}

/** What a `type` or `code` inside a stream stands for, where there is no status. */
export function classOfCode(body: ErrorBody): ErrorClass {
  const code = `${body.code} ${body.type}`.toLowerCase();
  if (/rate_?limit|too_many_requests/.test(code)) return 'rate-limit';
  if (/overloaded|unavailable|capacity/.test(code)) return 'overloaded';
  if (/timeout|deadline/.test(code)) return 'timeout';
  if (/invalid_request|bad_request|invalid_argument|invalid_prompt|unsupported/.test(code))
    return 'bad-request';
  if (/not_found/.test(code)) return 'not-found';
  if (/permission|forbidden/.test(code)) return 'permission';
  return 'server';
}
