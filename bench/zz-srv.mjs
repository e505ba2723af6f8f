import { spawn } from "node:child_process";
const word = process.argv[2];
for (let k=0;k<3;k++){
const t00=performance.now();
const child = spawn(process.execPath, [...(k===2?["--cpu-prof","--cpu-prof-dir=/tmp/sfix/prof"]:[]), "/work/wt/studio5/dist/cli/main.js", "studio", word], { cwd: "/tmp/sfix" });
const address = await new Promise((done) => { let t=""; child.stdout.setEncoding("utf8").on("data",(e)=>{t+=e; const [f]=/http\S+\/$/m.exec(t)??[]; if(f) done(f);}); });
const t0=performance.now();
await (await fetch(address+"api/about")).json(); const t1=performance.now();
const r=await (await fetch(address+"api/runs")).json(); const t2=performance.now();
const r2=await (await fetch(address+"api/runs")).json(); const t3=performance.now();
console.log("start",Math.round(t0-t00),"about",Math.round(t1-t0),"runs",Math.round(t2-t1),r.runs.length,"runs2",Math.round(t3-t2),r2.runs.length);
child.kill("SIGINT"); await new Promise(d=>child.on("close",d));
}
