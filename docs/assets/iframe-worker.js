/* On a page opened from disk a browser starts no worker. This one runs its script in a hidden frame
   of the same page instead, and passes messages both ways; elsewhere it does nothing. */
"use strict";
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.documentElement.appendChild(this.frame);
      const scope = this.frame.contentWindow;
      scope.postMessage = data => this.told(data);
      scope.importScripts = (...urls) => urls.reduce(
        (before, each) => before.then(() => this.loaded(each)), Promise.resolve());
      this.loaded(url).then(() => {
        this.ready = true;
        this.waiting.splice(0).forEach(data => this.postMessage(data));
      });
    }
    loaded(url) {
      return new Promise((done, failed) => {
        const script = this.frame.contentDocument.createElement("script");
        script.src = url;
        script.onload = done;
        script.onerror = failed;
        this.frame.contentDocument.body.appendChild(script);
      });
    }
    told(data) {
      const event = new MessageEvent("message", { data });
      this.dispatchEvent(event);
      if (this.onmessage) this.onmessage(event);
    }
    postMessage(data) {
      if (!this.ready) return void this.waiting.push(data);
      const scope = this.frame.contentWindow;
      scope.dispatchEvent(new scope.MessageEvent("message", { data }));
    }
    terminate() { this.frame.remove(); }
  };
}
