
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { chromium } from "playwright-core";
const [word, sel, ...more] = process.argv.slice(2);
const child = spawn(process.execPath, ["/work/wt/studio5/dist/cli/main.js", "studio", word, ...more], { cwd: "/tmp/sfix" });
const address = await new Promise((done) => { let t=""; child.stdout.setEncoding("utf8").on("data",(e)=>{t+=e; const [f]=/http\S+\/$/m.exec(t)??[]; if(f) done(f);}); });
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
for (let k=0;k<4;k++){
const context = await browser.newContext({ viewport: { width: 1280, height: 820 } });
const page = await context.newPage();
page.setDefaultTimeout(600000);
const s = await context.newCDPSession(page);
await s.send("Performance.enable", { timeDomain: "threadTicks" });
const prof = k===3;
if (prof) { await s.send("Profiler.enable"); await s.send("Profiler.setSamplingInterval",{interval:200}); await s.send("Profiler.start"); }
await page.addInitScript(`(() => { globalThis.__t = {}; const look = () => { if (document.querySelector("${sel}")) { __t.first ??= performance.now(); requestAnimationFrame(() => setTimeout(() => { __t.painted ??= performance.now(); })); } else setTimeout(look, 1); }; look(); })()`);
const from = performance.now();
await page.goto(address);
await page.locator(sel).first().waitFor();
const wall = performance.now() - from;
const { metrics } = await s.send("Performance.getMetrics");
const m = Object.fromEntries(metrics.map((e)=>[e.name,e.value]));
if (prof) { const { profile } = await s.send("Profiler.stop"); writeFileSync("/tmp/sfix/p.cpuprofile", JSON.stringify(profile)); }
await page.waitForTimeout(200);
const t = await page.evaluate(`({ ...__t, nav: performance.getEntriesByType("navigation").map((e) => [Math.round(e.responseEnd), Math.round(e.domInteractive)]), res: performance.getEntriesByType("resource").map((e) => [e.name.split("/").slice(4).join("/").slice(0,30), Math.round(e.startTime), Math.round(e.responseStart), Math.round(e.responseEnd)]) })`);
console.log(JSON.stringify({ wall: Math.round(wall), first: Math.round(t.first), painted: Math.round(t.painted), nav: t.nav, res: t.res.slice(0,6), script: m.ScriptDuration?.toFixed(2), task: m.TaskDuration?.toFixed(2), layout: m.LayoutDuration?.toFixed(2), style: m.RecalcStyleDuration?.toFixed(2) }));
await context.close();
}
await browser.close(); child.kill("SIGINT");
