/** What a request is about. The ten kinds that users of the first llmcode know. */
export const taskKinds = [
  'debugging',
  'testing',
  'reviewing',
  'refactoring',
  'planning',
  'deployment',
  'documentation',
  'research',
  'coding',
  'conversation',
] as const;
export type TaskKind = (typeof taskKinds)[number];

type Profile = {
  /** Words that speak for the kind, in the languages of many users. */
  words: RegExp;
  /** Tools that stand ready at once; all others are one search away. */
  tools: readonly string[];
};

/** In languages that write no spaces a word stands anywhere; in others it begins at one. */
function words(spaced: string, unspaced = ''): RegExp {
  const source = `(?<![\\p{L}\\p{N}_])(?:${spaced})(?![\\p{L}\\p{N}_])`;
  return new RegExp(unspaced === '' ? source : `${source}|${unspaced}`, 'giu');
}

export const profiles: Readonly<Record<TaskKind, Profile>> = {
  debugging: {
    words: words(
      String.raw`fix(?:es|ed|ing)?|bugs?|buggy|crash(?:es|ed|ing)?|tracebacks?|stack ?traces?|exceptions?|debug(?:ging)?|broken|breaks|fail(?:s|ed|ing|ures?)?|errors?|wrong|regression|hangs?|leaks?|fehler\p{L}*|kaputt|abst(?:u|ü)rz\p{L}*|behebe?n?|repar\p{L}+|falla\p{L}*|arregl\p{L}+|erreurs?|plante|corrig\p{L}+|ошибк\p{L}*|исправ\p{L}*|почин\p{L}*`,
      '修复|修正|报错|错误|崩溃|调试|异常|バグ|エラー|直し|デバッグ|버그|오류|고쳐',
    ),
    tools: ['bash_output', 'git_diff', 'git_log', 'lsp_diagnostics', 'lsp_references'],
  },
  testing: {
    words: words(
      String.raw`tests?|testing|unit ?tests?|unittests?|pytest|vitest|jest|coverage|specs?|asserts?|assertions?|fixtures?|mocks?|testf(?:a|ä)lle?|abdeckung|pruebas?|cobertura|тест\p{L}*|покрыти\p{L}*`,
      '测试|单测|覆盖率|テスト|테스트',
    ),
    tools: ['bash_output', 'bash_kill'],
  },
  reviewing: {
    words: words(
      String.raw`review(?:s|ed|ing)?|pull ?requests?|prs?|diffs?|audit(?:s|ed|ing)?|code ?reviews?|begutacht\p{L}*|pr(?:u|ü)f(?:e|en|st|t)|revis(?:a|ar|ión)|relire|revue|ревью|проверь`,
      '审查|评审|代码检查|レビュー|리뷰',
    ),
    tools: ['git_diff', 'git_log', 'git_status', 'lsp_references'],
  },
  refactoring: {
    words: words(
      String.raw`refactor(?:s|ed|ing|ings)?|restructur\p{L}+|reorgani[sz]\p{L}+|clean(?:ing)? ?-?up|simplif\p{L}+|extract(?:s|ed|ing)?|renam(?:e|es|ed|ing)|dedup\p{L}*|inline|split up|umbenenn\p{L}*|vereinfach\p{L}*|aufr(?:a|ä)um\p{L}*|refactoris\p{L}+|refactoriz\p{L}+|renombr\p{L}+|renomm\p{L}+|рефактор\p{L}*|переимен\p{L}*|упрост\p{L}*`,
      '重构|重命名|简化|整理|リファクタ\\p{L}*|리팩터\\p{L}*',
    ),
    tools: ['lsp_references', 'lsp_definition', 'lsp_symbols', 'multi_edit'],
  },
  planning: {
    words: words(
      String.raw`plan(?:s|ned|ning)?|roadmaps?|proposals?|rfcs?|design doc\p{L}*|milestones?|estimates?|strategy|planung|entwurf|entwirf|propuesta|планир\p{L}*|план`,
      '计划|规划|方案|設計|計画|계획',
    ),
    tools: ['memory_recall', 'consult_peer'],
  },
  deployment: {
    words: words(
      String.raw`deploy(?:s|ed|ing|ments?)?|releas(?:e|es|ed|ing)|ci(?:/cd)?|docker\p{L}*|kubernetes|k8s|helm|terraform|production|staging|rollback|publish(?:es|ed|ing)?|pipelines?|ausroll\p{L}*|ver(?:o|ö)ffentlich\p{L}*|desplieg\p{L}*|d(?:é|e)ploi\p{L}*|развер\p{L}*|релиз\p{L}*`,
      '部署|发布|上线|デプロイ|リリース|배포',
    ),
    tools: ['git_status', 'git_commit', 'git_push', 'bash_output', 'bash_kill', 'web_fetch'],
  },
  documentation: {
    words: words(
      String.raw`docs?|document(?:s|ed|ing|ation)?|readme|docstrings?|jsdoc|tsdoc|changelog|tutorials?|dokument\p{L}*|documenta\p{L}*|документ\p{L}*`,
      '文档|注释|说明书|ドキュメント|文書|문서',
    ),
    tools: ['append_file', 'web_fetch', 'memory_recall'],
  },
  research: {
    words: words(
      String.raw`research(?:es|ed|ing)?|investigat\p{L}+|explor(?:e|es|ed|ing)|compar(?:e|es|ed|ing|isons?)|evaluat\p{L}+|benchmarks?|find out|how does|where is|why does|look into|untersuch\p{L}*|vergleich\p{L}*|wie funktioniert|wo ist|investiga\p{L}*|compara\p{L}*|сравн\p{L}*|исследу\p{L}*|как работает|где`,
      '研究|调研|比较|对比|怎么实现|在哪|調査|比較|どこ|조사|비교',
    ),
    tools: ['web_fetch', 'web_search', 'memory_recall', 'lsp_symbols', 'lsp_definition', 'consult_peer'],
  },
  coding: {
    words: words(
      String.raw`implement(?:s|ed|ing|ation)?|build|writ(?:e|es|ing)|add(?:s|ed|ing)?|creat(?:e|es|ed|ing)|functions?|class(?:es)?|endpoints?|features?|support for|make it|schreib\p{L}*|erstell\p{L}*|f(?:u|ü)ge|baue?|implementier\p{L}*|a(?:ñ|n)ad\p{L}*|crea(?:r)?|escrib\p{L}*|ajout\p{L}*|(?:é|e)cri\p{L}*|добав\p{L}*|напиш\p{L}*|созда\p{L}*|реализ\p{L}*`,
      '实现|添加|新增|编写|写一个|函数|功能|実装|追加|作って|関数|구현|추가|만들',
    ),
    tools: ['multi_edit', 'bash_output', 'lsp_diagnostics'],
  },
  conversation: {
    words: words(
      `thanks?|thank you|hello|hi|hey|who are you|what can you do|good (?:morning|evening)|danke|hallo|gracias|hola|merci|bonjour|спасибо|привет`,
      '你好|谢谢|こんにちは|ありがとう|안녕|고마워',
    ),
    tools: ['memory_recall'],
  },
};

/** What a request names or needs by itself, whatever it is about. */
export const cues: readonly { words: RegExp; tools: readonly string[] }[] = [
  { words: /https?:\/\//i, tools: ['web_fetch'] },
  { words: words('commit(?:s|ted|ting)?|committe|提交'), tools: ['git_commit', 'git_status', 'git_diff'] },
  { words: words('push(?:es|ed|ing)?|推送'), tools: ['git_push'] },
  { words: words('branch(?:es)?|分支'), tools: ['git_branch'] },
  { words: words('stash(?:es|ed)?'), tools: ['git_stash'] },
  { words: words('notebooks?|ipynb|jupyter'), tools: ['notebook_read', 'notebook_edit'] },
  {
    words: words('remember(?:ed)?|memory|merk dir|recuerda|retiens|запомни', '记住|覚えて|기억'),
    tools: ['memory_recall', 'memory_list', 'memory_forget'],
  },
  {
    words: words('second opinion|ask (?:gpt|claude|gemini|another model)|zweite meinung'),
    tools: ['consult_peer'],
  },
  {
    words: words('background|dev server|server|watch mode|hintergrund', '后台|サーバー'),
    tools: ['bash_output', 'bash_kill'],
  },
  {
    words: words('search the web|google|web ?search|im netz', '上网|搜索网页'),
    tools: ['web_search', 'web_fetch'],
  },
];

/** Tools that every request carries: no kind of task takes one of them away. */
export const alwaysReady: ReadonlySet<string> = new Set([
  'read_file',
  'list_directory',
  'glob_search',
  'grep_search',
  'edit_file',
  'apply_patch',
  'write_file',
  'bash',
  'todo_write',
  'ask_user',
  'memory_store',
  'recall',
  'working_notes',
  'tool_search',
]);
