/** Prose for the model is kept in Markdown files and imported as text. */
declare module '*.md' {
  const text: string;
  export default text;
}
